import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { commandsOf, type PluginDefinition } from '@wadi/plugins/file/plugin.ts'
import { findProgram } from '@wadi/containment/find-program.ts'

/** A larger file is identified by its path and size: a program has less, and a second is enough to read it. */
const maxHashedBytes = 1024 ** 3

/** Names that are looked for in the plugin's commands; more of them make no plugin more different. */
const maxWords = 2_000

/** Modules beside the plugin's file that are included. */
const maxFilesBeside = 200

/** The make-up of a plugin at present. */
export interface PluginIdentity {
  /** Equal for equal configuration and programs. */
  readonly identity: () => Promise<string>
  /** The SHA-256 of the program that generates, in hex; empty for one that is looked for in each application's directory. */
  readonly programDigest: () => Promise<string>
}

/**
 * Reads what a plugin consists of: the bytes of its file and, of each program and each absolute path that its commands
 * name, scripts in arguments included, and of modules beside them, the name and the content; of a large file its
 * real path and size instead. A file is read when it is first met and when it changes.
 * @param image that of the sidecar around it, a part of it; empty when it is not known
 */
export async function openPluginIdentity(
  file: string,
  plugin: PluginDefinition,
  directories: readonly string[],
  image = '',
): Promise<PluginIdentity> {
  const ownBytes = await readFile(file)
  const words = commandWords(plugin)
  const known = new Map<string, { version: string; digest: Promise<string> }>()

  /** Calls at the same time read a file once. */
  const contentDigest = async (found: string, version: string): Promise<string> => {
    const before = known.get(found)
    if (before?.version === version) return before.digest
    const digest = digestOf(found)
    known.set(found, { version, digest })
    digest.catch(() => known.delete(found))
    return digest
  }

  const listings = directories.map((directory) => directoryListing(directory))
  const directoriesWith = async (): Promise<(word: string) => string[]> => {
    const names = await Promise.all(listings.map((list) => list()))
    return (word) => directories.filter((_directory, index) => names[index]?.has(word))
  }

  const read = async (word: string, among: (word: string) => string[]) => {
    const named = path.isAbsolute(word) ? word : findProgram(word, among(word))
    if (named === undefined) return undefined
    const found = await realpath(named).catch(() => undefined)
    if (found === undefined) return undefined
    const { dev, ino, size, mtimeNs, ctimeNs, isFile } = await fileVersion(found)
    if (!isFile) return undefined
    if (size > maxHashedBytes) return { found, size, content: undefined }
    return { found, size, content: await contentDigest(found, `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`) }
  }

  const describe = async (word: string, among: (word: string) => string[]): Promise<string[]> => {
    const named = await read(word, among)
    if (named === undefined) return []
    const { found, size, content } = named
    // Where a content lies says nothing: the files of a ConfigMap move with every mount.
    return [
      JSON.stringify(content === undefined ? [word, found, String(size)] : [word, String(size), content]),
    ]
  }

  return {
    identity: async () => {
      const [modules, among] = await Promise.all([modulesBeside(file, words), directoriesWith()])
      const programs = await Promise.all([...words, ...modules].map((word) => describe(word, among)))
      const hash = createHash('sha256').update(ownBytes)
      for (const line of programs.flat()) hash.update(`\n${line}`)
      if (image !== '') hash.update(`\n${JSON.stringify(['image', image])}`)
      return hash.digest('hex')
    },
    programDigest: async () => {
      const [program = ''] = plugin.generate
      return isName(program) ? ((await read(program, await directoriesWith()))?.content ?? '') : ''
    },
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** The names in a directory, read again when the directory changes; none when it cannot be read. */
function directoryListing(directory: string): () => Promise<ReadonlySet<string>> {
  let known: { version: string; names: ReadonlySet<string> } | undefined
  return async () => {
    try {
      const { dev, ino, mtimeNs } = await stat(directory, { bigint: true })
      const version = `${dev}:${ino}:${mtimeNs}`
      if (known?.version !== version) known = { version, names: new Set(await readdir(directory)) }
      return known.names
    } catch {
      return new Set()
    }
  }
}

/**
 * Returns the files that a program next to the plugin's file may import: files of its kind there. Others change for reasons of
 * their own, as logs do.
 */
async function modulesBeside(file: string, words: readonly string[]): Promise<string[]> {
  const directory = path.dirname(file)
  const entries = await readdir(directory, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => entry.name)
    .toSorted()
  const kinds = new Set(names.filter((name) => words.includes(name)).map((name) => path.extname(name)))
  kinds.delete('')
  return names
    .filter((name) => kinds.has(path.extname(name)))
    .slice(0, maxFilesBeside)
    .map((name) => path.join(directory, name))
}

async function fileVersion(file: string) {
  const found = await stat(file, { bigint: true })
  const { dev, ino, size, mtimeNs, ctimeNs } = found
  return { dev, ino, size, mtimeNs, ctimeNs, isFile: found.isFile() }
}

/** Returns the words in the plugin's commands that may name a program or a file, each once. */
function commandWords(plugin: PluginDefinition): string[] {
  const words = commandsOf(plugin)
    .flat()
    .flatMap((word) => [word, ...(word.match(/[\w@%+./-]+/g) ?? [])])
  return [...new Set(words)].filter((word) => isName(word)).slice(0, maxWords)
}

function isName(word: string): boolean {
  const isFileName = word !== '' && word.length <= 255 && !word.includes('/') && !word.includes('\0')
  return isFileName || (path.isAbsolute(word) && word.length <= 4096 && !word.includes('\0'))
}
