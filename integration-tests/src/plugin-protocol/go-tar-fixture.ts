import { gzipSync } from 'node:zlib'

/** One entry of an archive; `type` is the letter of its header, a file without one. */
export interface TarEntry {
  readonly name: string
  readonly content?: Buffer | string
  /** Permission bits, set-user-id and the like among them. */
  readonly mode?: number
  /** `0` file, `1` hard link, `2` symbolic link, `3` and `4` devices, `5` directory, `6` pipe, `g` global header. */
  readonly type?: string
  readonly target?: string
}

const block = 512
// Extended headers belong to nobody and have no time.
const nobody = { id: 0, name: '', modified: 0 }
const argocd = { id: 999, name: 'argocd', modified: 1_700_000_000 }

/** A tar archive as Go's writer makes it of file headers, compressed with gzip's default level. */
export function goArchive(entries: readonly TarEntry[]): Buffer {
  return gzipSync(goTar(entries))
}

/** The archive without compression. */
export function goTar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(entryBlocks), Buffer.alloc(2 * block)])
}

/** A directory entry: Argo CD takes the name from the relative path, so no slash ends it. */
export function directory(name: string, mode = 0o755): TarEntry {
  return { name, type: '5', mode }
}

/** A symbolic link with the target as it is. */
export function link(name: string, target: string): TarEntry {
  return { name, type: '2', target, mode: 0o777 }
}

function entryBlocks({ name, content = '', mode = 0o644, type = '0', target = '' }: TarEntry): Buffer[] {
  const bytes = Buffer.from(content)
  const split = splitName(name)
  const records = [
    ...(split === undefined ? [['path', name] as const] : []),
    ...(fits(target) ? [] : [['linkpath', target] as const]),
  ]
  const plain = { prefix: '', name: ascii(name), ...split, mode, type, target: ascii(target), owner: argocd }
  const blocks = [header({ ...plain, size: bytes.length }), padded(bytes)]
  if (records.length === 0) return blocks
  const extended = Buffer.from(records.map(([key, value]) => paxRecord(key, value)).join(''))
  const at = name.lastIndexOf('/') + 1
  const paxName = ascii(`${name.slice(0, at)}PaxHeaders.0/${name.slice(at)}`)
  const pax = {
    prefix: '',
    name: paxName,
    mode: 0,
    type: 'x',
    target: '',
    size: extended.length,
    owner: nobody,
  }
  return [header(pax), padded(extended), ...blocks]
}

function header(fields: {
  prefix: string
  name: string
  mode: number
  type: string
  target: string
  size: number
  owner: typeof nobody
}): Buffer {
  const bytes = Buffer.alloc(block)
  bytes.write(fields.name, 0, 100)
  bytes.write(octal(fields.mode, 8), 100)
  bytes.write(octal(fields.owner.id, 8), 108)
  bytes.write(octal(fields.owner.id, 8), 116)
  bytes.write(octal(fields.size, 12), 124)
  bytes.write(octal(fields.owner.modified, 12), 136)
  bytes.write(fields.type, 156)
  bytes.write(fields.target, 157, 100)
  bytes.write('ustar\x0000', 257)
  bytes.write(fields.owner.name, 265)
  bytes.write(fields.owner.name, 297)
  if (fields.type !== 'x') bytes.write(`${octal(0, 8)}${octal(0, 8)}`, 329)
  bytes.write(fields.prefix, 345, 155)
  bytes.fill(' ', 148, 156)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(octal(sum, 7), 148)
  return bytes
}

/** The name as one header holds it, divided at a slash if need be; undefined when only a PAX record can. */
function splitName(name: string): { prefix: string; name: string } | undefined {
  if (fits(name)) return { prefix: '', name }
  if (!isAscii(name)) return undefined
  const at = name.slice(0, 156).lastIndexOf('/')
  const rest = name.slice(at + 1)
  return at > 0 && at <= 155 && rest !== '' && rest.length <= 100
    ? { prefix: name.slice(0, at), name: rest }
    : undefined
}

function fits(text: string): boolean {
  return isAscii(text) && text.length <= 100
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

function ascii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, '').slice(0, 100)
}

function octal(value: number, size: number): string {
  return `${value.toString(8).padStart(size - 1, '0')}\0`
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((block - (bytes.length % block)) % block)])
}

/** The length includes its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let size = rest
  while (size !== rest + String(size).length) size = rest + String(size).length
  return `${size} ${key}=${value}\n`
}
