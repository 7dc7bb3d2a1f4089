import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** Size of a header and unit of everything in a tar archive, in bytes. */
export const tarBlockBytes = 512

/** One entry of an archive; a file's bytes follow its header. */
export type TarEntry =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'symlink'; readonly path: string; readonly target: string }
  | { readonly kind: 'file' | 'executable'; readonly path: string; readonly size: number }

const typeFlags = { directory: '5', symlink: '2', file: '0', executable: '0' } as const
const nameBytes = 100

/**
 * The blocks in front of an entry's content: USTAR, behind a PAX header when a name is long or not ASCII. Owner and time
 * are zero, so that equal entries have equal bytes.
 * @throws InvalidInputError for a link whose target holds a NUL, which no archive can carry
 */
export function tarHeader(entry: TarEntry): Buffer {
  const target = entry.kind === 'symlink' ? entry.target : ''
  if (target.includes('\0')) throw new InvalidInputError(`the target of symlink "${entry.path}" holds a NUL`)
  const size = 'size' in entry ? entry.size : 0
  const mode = entry.kind === 'directory' || entry.kind === 'executable' ? 0o755 : 0o644
  const block = headerBlock({ name: entry.path, flag: typeFlags[entry.kind], mode, size, target })
  const records = [paxRecord('path', entry.path), paxRecord('linkpath', target)].join('')
  if (records === '') return block
  const pax = Buffer.from(records)
  const paxBlock = headerBlock({ name: 'PaxHeader', flag: 'x', mode: 0o644, size: pax.length, target: '' })
  return Buffer.concat([paxBlock, pax, tarPadding(pax.length), block])
}

/** The zeros that fill a content of so many bytes up to a block. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes)
}

function headerBlock(field: {
  name: string
  flag: string
  mode: number
  size: number
  target: string
}): Buffer {
  const block = Buffer.alloc(tarBlockBytes)
  block.write(shortForm(field.name), 0, 'latin1')
  block.write(octal(field.mode, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(field.size, 12), 124)
  block.write(octal(0, 12), 136)
  block.write(' '.repeat(8), 148)
  block.write(field.flag, 156)
  block.write(shortForm(field.target), 157, 'latin1')
  block.write('ustar\u000000', 257)
  block.write(octal(0, 8), 329)
  block.write(octal(0, 8), 337)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 7)}\0 `, 148)
  return block
}

/** Returns the form of a name for readers without PAX. */
function shortForm(text: string): string {
  return text.replaceAll(/\P{ASCII}/gu, '_').slice(0, nameBytes)
}

function octal(value: number, width: number): string {
  return value.toString(8).padStart(width - 1, '0')
}

function paxRecord(key: string, value: string): string {
  if (value === shortForm(value)) return ''
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  // The length includes its own digits.
  let length = bytes + 1
  while (length !== bytes + String(length).length) length = bytes + String(length).length
  return `${length}${rest}`
}
