import { isUtf8 } from 'node:buffer'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { lineAt } from './source-line.ts'

/** Begins every file that Git LFS leaves in git instead of a large one. */
export const lfsPointerStart = 'version https://git-lfs.github.com/spec/v1'

/** The largest pointer, in bytes. */
export const maxLfsPointerBytes = 1024

/** True if a file of git is a pointer of Git LFS, so that its content is elsewhere. */
export function isLfsPointer(content: Uint8Array): boolean {
  if (content.length > maxLfsPointerBytes) return false
  const text = Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1')
  return text.startsWith(`${lfsPointerStart}\n`) || text.startsWith(`${lfsPointerStart}\r\n`)
}

/** Says of files that they are pointers of Git LFS, and what to do. */
export function lfsPointerMessage(files: readonly string[]): string {
  const [are, them] =
    files.length === 1 ? ['is a Git LFS pointer', 'the file'] : ['are Git LFS pointers', 'the files']
  return `${files.join(', ')} ${are}, and nothing is fetched from LFS; take ${them} out of LFS in .gitattributes and commit the content itself`
}

/**
 * Returns the content of a file as text. A byte order mark stays.
 *
 * @param file names it in messages
 * @param remedy what to do about bytes that are not UTF-8
 * @throws InvalidInputError (`file:line: …`) for bytes that are not UTF-8, and for a pointer of Git LFS
 */
export function fileText(content: Uint8Array, file: string, remedy = 'save the file as UTF-8'): string {
  if (isLfsPointer(content)) throw new InvalidInputError(lfsPointerMessage([file]))
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  const text = bytes.toString()
  if (isUtf8(bytes)) return text
  const offset = invalidOffset(bytes, text)
  const line = lineAt(bytes.subarray(0, offset).toString(), offset)
  const byte = bytes[offset]?.toString(16).padStart(2, '0') ?? ''
  const encoding = isUtf16(bytes) ? 'the file is UTF-16' : `byte ${offset + 1} (0x${byte}) is not UTF-8`
  throw new InvalidInputError(`${encoding}; ${remedy}`, { at: { file, line } })
}

function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.subarray(0, 2).toString('hex')
  return mark === 'fffe' || mark === 'feff'
}

/** Returns the offset in the bytes of the first replaced character of the decoded text. */
function invalidOffset(bytes: Buffer, text: string): number {
  let offset = 0
  let read = 0
  for (const { index } of text.matchAll(/\uFFFD/g)) {
    offset += Buffer.byteLength(text.slice(read, index))
    read = index
    if (bytes.subarray(offset, offset + 3).toString('hex') !== 'efbfbd') return offset
  }
  return offset
}
