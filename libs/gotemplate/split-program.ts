import { maxMemoryMiB } from './src/memory-limit.ts'

const pagesPerMiB = 16
const pageBytes = 65_536
const headerBytes = 8
const memorySection = 5
const dataSection = 11

/** A compiled Go program in two parts. */
interface SplitProgram {
  /** The WebAssembly module without its data, and with a limit for its memory. */
  readonly module: Uint8Array
  /** The initial content of its memory. */
  readonly data: Uint8Array
}

interface Section {
  readonly id: number
  readonly start: number
  /** The start and the end of its content. */
  readonly content: number
  readonly end: number
}

/**
 * Takes the data out of a WebAssembly module of Go, as V8 keeps the bytes of a module for as long as it lives, and a record of each of
 * 100,000 pieces of data. Its memory cannot grow past the limit: Go's linker writes a minimum alone. A program that asks for more
 * ends with Go's own error.
 * @throws Error when the memory or the data is written in another way than Go's linker does
 */
export function splitProgram(wasm: Uint8Array): SplitProgram {
  const sections = sectionsOf(wasm)
  const memory = sections.find(({ id }) => id === memorySection)
  const pages = memory && minimumPages(wasm, memory)
  if (pages === undefined) throw new Error('the WebAssembly module has no memory that can be bounded')
  const parts = sections.map((section) => {
    if (section.id === dataSection) return new Uint8Array()
    return section === memory ? boundedMemory(pages) : wasm.subarray(section.start, section.end)
  })
  const data = sections.find(({ id }) => id === dataSection)
  return {
    module: Buffer.concat([wasm.subarray(0, headerBytes), ...parts]),
    data: data === undefined ? new Uint8Array() : memoryImage(wasm, data, pages * pageBytes),
  }
}

function sectionsOf(wasm: Uint8Array): Section[] {
  const sections: Section[] = []
  for (let start = headerBytes; start < wasm.length;) {
    const size = readNumber(wasm, start + 1)
    const end = size.end + size.value
    sections.push({ id: wasm[start] ?? 0, start, content: size.end, end })
    start = end
  }
  return sections
}

/** Undefined for another memory than a single one of which a minimum alone is given. */
function minimumPages(wasm: Uint8Array, { content, end }: Section): number | undefined {
  const minimum = readNumber(wasm, content + 2)
  return wasm[content] === 1 && wasm[content + 1] === 0 && minimum.end === end ? minimum.value : undefined
}

function boundedMemory(pages: number): Uint8Array {
  const limits = [1, 1, ...numberBytes(pages), ...numberBytes(maxMemoryMiB * pagesPerMiB)]
  return Uint8Array.from([memorySection, ...numberBytes(limits.length), ...limits])
}

/** Returns the memory as it is when all pieces of data are in their places, up to the end of the last one. */
function memoryImage(wasm: Uint8Array, { content, end }: Section, bytes: number): Uint8Array {
  const image = new Uint8Array(bytes)
  const pieces = readNumber(wasm, content)
  let used = 0
  let offset = pieces.end
  for (let piece = 0; piece < pieces.value; piece++) {
    // A piece for the first memory, at a constant place.
    if (wasm[offset] !== 0 || wasm[offset + 1] !== 0x41) throw new Error(unknownData)
    const place = readNumber(wasm, offset + 2)
    if (wasm[place.end] !== 0x0b) throw new Error(unknownData)
    const length = readNumber(wasm, place.end + 1)
    offset = length.end + length.value
    image.set(wasm.subarray(length.end, offset), place.value)
    used = Math.max(used, place.value + length.value)
  }
  if (offset !== end) throw new Error(unknownData)
  return image.subarray(0, used)
}

const unknownData = 'the WebAssembly module has data that is not at a constant place'

/** Reads an unsigned LEB128 number of 32 bits at most. */
function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0
  for (let index = 0; index < 5; index++) {
    const byte = bytes[start + index] ?? 0
    value += (byte % 128) * 128 ** index
    if (byte < 128) return { value, end: start + index + 1 }
  }
  throw new Error('the WebAssembly module has a number that is too long')
}

function numberBytes(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...numberBytes(Math.floor(value / 128))]
}
