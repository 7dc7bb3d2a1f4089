import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { isShifted } from './repeat-clock.ts'
import { actionWords } from './repeat-words.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { growingCache } from '@wadi/concurrency/growing-cache.ts'

/** A call in a template, or what may hold one, of a function that can give another result each time. */
export interface UnrepeatableUse {
  /** The function's name; `''` for what cannot be looked into. */
  readonly name: string
  /** `file:line`, an archive's path without a line, or `an option`. */
  readonly place: string
  /** True if it reads the clock where a render with another clock shows no difference. */
  readonly isHiddenClock: boolean
}

/** Of the functions that charts can call, those that more decides than their arguments. */
const unrepeatable = new Set(
  `now ago date dateInZone date_in_zone htmlDate htmlDateInZone durationRound randAlphaNum randAlpha randAscii
  randNumeric randBytes randInt uuidv4 shuffle bcrypt htpasswd encryptAES genPrivateKey genCA genCAWithKey
  genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey`.split(/\s+/),
)
/** They list a map in no order, which is harmless where one of the second list comes behind. */
const unordered = new Set(['keys', 'values'])
const orderless = new Set(['sortAlpha', 'len', 'has'])

const clocks = new Set(['now', 'ago'])
const anyName = new RegExp(String.raw`\b(?:${[...unrepeatable, ...unordered].join('|')})\b`)

/** Largest text that is scanned, larger ones are taken for calls; and most calls of one file that are reported. */
const maxTextBytes = 16 * 1024 * 1024
const maxUses = 20
/** Files and directories whose calls are remembered. */
const maxScans = 50_000

const unpack = promisify(gunzip)

/** A call with its file relative to what was looked through. */
interface FoundCall {
  readonly name: string
  readonly path: string
  /** Undefined in an archive. */
  readonly line: number | undefined
  readonly isQuoted: boolean
}

/** Looks through the inputs of charts for calls that may make a render unrepeatable, once for files with equal ids. */
export class RepeatScans {
  readonly #known = growingCache<string, readonly FoundCall[]>(maxScans)

  /** The calls in a file or in all files of a directory; links below it are not followed, as they are inputs of their own. */
  async usesIn(tree: FileTree, input: string): Promise<UnrepeatableUse[]> {
    const followed = await followPath(tree, input)
    if (followed === undefined) return []
    const { target, entry } = followed
    const calls = await this.#scan(tree, target, entry.kind === 'directory', entry.id)
    return calls.map(({ name, path, line, isQuoted }) => {
      const file = path === '' ? target : childPath(target, path)
      const place = line === undefined ? file : `${file}:${line}`
      const isShown = !isQuoted && line !== undefined && isShifted(name, file)
      return { name, place, isHiddenClock: clocks.has(name) && !isShown }
    })
  }

  async #scan(
    tree: FileTree,
    target: string,
    isDirectory: boolean,
    id: string,
  ): Promise<readonly FoundCall[]> {
    // A file's name decides its kind.
    const key = target.endsWith('.tgz') ? `${id} packed` : id
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const calls = isDirectory ? await this.#scanDirectory(tree, target) : await scanFile(tree, target)
    this.#known.set(key, calls)
    return calls
  }

  async #scanDirectory(tree: FileTree, directory: string): Promise<FoundCall[]> {
    const calls: FoundCall[] = []
    for (const { name, kind, id } of await tree.list(directory)) {
      if (kind === 'symlink' || kind === 'submodule') continue
      const below = await this.#scan(tree, childPath(directory, name), kind === 'directory', id)
      calls.push(
        ...below.map((call) => ({ ...call, path: call.path === '' ? name : `${name}/${call.path}` })),
      )
    }
    return calls
  }
}

/** The calls in values that are in no file, which are treated as templates because of `tpl`. */
export function usesInValues(value: JsonValue | undefined, place: string): UnrepeatableUse[] {
  if (typeof value === 'string') {
    return callsIn(value).map(({ name }) => ({ name, place, isHiddenClock: clocks.has(name) }))
  }
  if (Array.isArray(value)) return value.flatMap((item) => usesInValues(item, place))
  return isJsonObject(value) ? Object.values(value).flatMap((item) => usesInValues(item, place)) : []
}

async function scanFile(tree: FileTree, path: string): Promise<FoundCall[]> {
  const unknown = [{ name: '', path: '', line: undefined, isQuoted: false }]
  try {
    const content = await tree.read(path, maxTextBytes)
    if (!path.endsWith('.tgz')) return callsIn(content.toString())
    // The names of files between the texts do no harm.
    const text = (await unpack(content, { maxOutputLength: maxTextBytes })).toString()
    if (/\.tgz\0/.test(text)) return unknown
    return callsIn(text).map((call) => ({ ...call, line: undefined }))
  } catch (error) {
    if (error instanceof ResourceExhaustedError || path.endsWith('.tgz')) return unknown
    throw error
  }
}

function callsIn(text: string): FoundCall[] {
  if (!text.includes('{{') || !anyName.test(text)) return []
  const calls: FoundCall[] = []
  let line = 1
  let counted = 0
  for (const words of actionWords(text)) {
    const isOrdered = words.some(({ name }) => orderless.has(name))
    for (const { name, offset, isQuoted } of words) {
      if (!unrepeatable.has(name) && (isOrdered || !unordered.has(name))) continue
      for (let index = text.indexOf('\n', counted); index !== -1 && index < offset; line += 1) {
        counted = index + 1
        index = text.indexOf('\n', counted)
      }
      calls.push({ name, path: '', line, isQuoted })
      if (calls.length === maxUses) return calls
    }
  }
  return calls
}
