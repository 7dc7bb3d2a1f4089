/** One field as it goes over the wire: its number, and a varint or something with a length. */
export type WireField = readonly [number: number, value: bigint | Buffer]

/** Encodes the fields in the given order; text becomes UTF-8, true and numbers varints. */
export function wireMessage(
  ...fields: readonly (readonly [number: number, value: bigint | number | boolean | string | Buffer])[]
): Buffer {
  const parts = fields.flatMap(([number, value]) => {
    if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean') {
      return [varint(BigInt(number) << 3n), varint(BigInt(value))]
    }
    const bytes = Buffer.from(value)
    return [varint((BigInt(number) << 3n) | 2n), varint(BigInt(bytes.length)), bytes]
  })
  return Buffer.concat(parts)
}

/**
 * Splits a message into its fields, in the order in which they came.
 * @throws Error for bytes that are no message, or one with a wire type that the protocol of plugins never uses
 */
export function wireFields(bytes: Buffer): WireField[] {
  const fields: WireField[] = []
  let at = 0
  const readVarint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at]
      if (byte === undefined) break
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new Error(`a number is cut short at byte ${at}`)
  }
  while (at < bytes.length) {
    const key = readVarint()
    const number = Number(key >> 3n)
    const type = Number(key & 7n)
    if (number === 0) throw new Error(`field 0 at byte ${at}`)
    if (type === 0) fields.push([number, readVarint()])
    else if (type === 2) {
      const length = Number(readVarint())
      if (at + length > bytes.length) throw new Error(`field ${number} is cut short`)
      fields.push([number, bytes.subarray(at, at + length)])
      at += length
    } else throw new Error(`field ${number} has wire type ${type}`)
  }
  return fields
}

/** The fields of a message that a reader gets who knows some of them and skips the rest. */
export class KnownFields {
  /** Numbers of the fields that the reader does not know. */
  readonly skipped: ReadonlySet<number>
  readonly #fields: readonly WireField[]

  /** @throws Error for an unknown field below 100, where Argo CD's own fields are */
  constructor(bytes: Buffer, known: readonly number[]) {
    this.#fields = wireFields(bytes)
    this.skipped = new Set(this.#fields.map(([number]) => number).filter((number) => !known.includes(number)))
    const foreign = [...this.skipped].filter((number) => number < 100)
    if (foreign.length > 0) throw new Error(`fields ${foreign.join(', ')} are not Argo CD's`)
  }

  /** All values of a field with a length. */
  all(number: number): Buffer[] {
    return this.#fields.flatMap(([found, value]) => {
      if (found !== number) return []
      if (typeof value === 'bigint') throw new Error(`field ${number} is a number`)
      return [value]
    })
  }

  /** The last value of a text field; empty when it is missing. */
  text(number: number): string {
    return this.all(number).at(-1)?.toString() ?? ''
  }

  /** The last value of a number or boolean field; 0 when it is missing. */
  number(number: number): bigint {
    const value = this.#fields.findLast(([found]) => found === number)?.[1] ?? 0n
    if (typeof value !== 'bigint') throw new Error(`field ${number} is not a number`)
    return value
  }
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)])
    bytes.push(Number(rest & 0x7fn) | 0x80)
  }
}
