import path from 'node:path'
import { gunzipSync } from 'node:zlib'

/** One entry as it stands in an archive. */
export interface ReadEntry {
  readonly name: string
  readonly type: string
  readonly mode: number
  readonly target: string
  readonly content: Buffer
}

/** The entry that Argo CD's cmp-server has on disk. */
export type ExtractedEntry =
  | { readonly kind: 'file'; readonly mode: number; readonly content: Buffer }
  | { readonly kind: 'directory' }
  | { readonly kind: 'symlink'; readonly target: string }

const block = 512

/** Reads a compressed archive entry by entry; PAX records are applied, global ones left out. */
export function readTar(archive: Buffer): ReadEntry[] {
  const bytes = gunzipSync(archive)
  const entries: ReadEntry[] = []
  let extended = new Map<string, string>()
  for (let at = 0; at + block <= bytes.length;) {
    const header = bytes.subarray(at, at + block)
    if (header.every((byte) => byte === 0)) return entries
    checkSum(header)
    const size = Number(extended.get('size') ?? number(header, 124, 12))
    const content = bytes.subarray(at + block, at + block + size)
    if (content.length < size) throw new Error('unexpected EOF')
    at += block + Math.ceil(size / block) * block
    const type = String.fromCharCode(header[156] ?? 0).replace('\0', '0')
    if (type === 'x' || type === 'g') {
      if (type === 'x') extended = paxRecords(content)
      continue
    }
    const [prefix, name] = [text(header, 345, 155), text(header, 0, 100)]
    entries.push({
      name: extended.get('path') ?? (prefix === '' ? name : `${prefix}/${name}`),
      type,
      mode: number(header, 100, 8),
      target: extended.get('linkpath') ?? text(header, 157, 100),
      content,
    })
    extended = new Map()
  }
  throw new Error('the archive has no end')
}

/**
 * Extracts as Argo CD's cmp-server does: names are cleaned, absolute ones start at the root, hard links, devices and
 * pipes are dropped without a word.
 * @throws Error in Argo CD's words for an entry that leads out, and for a link to the root itself
 */
export function extractAsArgocd(entries: readonly ReadEntry[]): Map<string, ExtractedEntry> {
  const extracted = new Map<string, ExtractedEntry>()
  for (const { name, type, mode, target, content } of entries) {
    const clean = path.posix.join('.', name).replace(/\/$/, '')
    if (clean === '.') continue
    if (clean.startsWith('../') || clean === '..') throw new Error(`illegal filepath in archive: ${name}`)
    if (type === '5') extracted.set(clean, { kind: 'directory' })
    if (type === '0') extracted.set(clean, { kind: 'file', mode, content })
    if (type !== '2') continue
    if (extracted.has(clean)) throw new Error(`error creating symlink: symlink ${clean}: file exists`)
    const found = resolved(path.posix.join(path.posix.dirname(clean), target), extracted)
    if (found === '.' || found === '..' || found.startsWith('../')) {
      throw new Error(`illegal filepath in symlink: ${target}`)
    }
    extracted.set(clean, { kind: 'symlink', target })
  }
  return extracted
}

/** Follows the links that are there already. */
function resolved(name: string, extracted: ReadonlyMap<string, ExtractedEntry>, steps = 0): string {
  if (steps > 50) throw new Error('too many links')
  const parts = path.posix.join(name).split('/')
  for (let count = 1; count <= parts.length; count += 1) {
    const head = parts.slice(0, count).join('/')
    const entry = extracted.get(head)
    if (entry?.kind !== 'symlink') continue
    const rest = parts.slice(count)
    return resolved(path.posix.join(path.posix.dirname(head), entry.target, ...rest), extracted, steps + 1)
  }
  return parts.join('/').replace(/\/$/, '')
}

function paxRecords(content: Buffer): Map<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(' ', at)
    const end = at + Number(content.toString('latin1', at, space))
    const record = content.toString('utf8', space + 1, end - 1)
    const equals = record.indexOf('=')
    if (space < 0 || end <= space || equals < 1) throw new Error('invalid tar header')
    records.set(record.slice(0, equals), record.slice(equals + 1))
    at = end
  }
  return records
}

function checkSum(header: Buffer): void {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (number(header, 148, 8) !== sum) throw new Error('invalid tar header')
}

function text(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? length : end)
}

function number(header: Buffer, at: number, length: number): number {
  return Number.parseInt(text(header, at, length).trim() || '0', 8)
}
