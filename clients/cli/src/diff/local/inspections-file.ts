import { hash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TreeRead } from '@wadi/file-trees/tracing-tree.ts'

/** The fingerprint and inputs of a source, which decide if it must be rendered, and its warnings. */
export interface SourceFacts {
  readonly fingerprint: string
  readonly inputs: readonly string[]
  readonly warnings: readonly string[]
}

/** Inspections of the sources of one repository, each by a digest of its source. */
export interface StoredInspections {
  /** The commit whose files `sources` are of. */
  readonly commit: string
  /** With the paths that were looked at. */
  readonly sources: ReadonlyMap<string, SourceFacts & { readonly paths: readonly string[] }>
  /** Those of other files, with what was read: they are valid wherever the same is read. */
  readonly others: ReadonlyMap<string, readonly (SourceFacts & { readonly reads: readonly TreeRead[] })[]>
}

/** Texts are numbers of a list in the file, as most paths come several times. */
interface FileContent {
  readonly commit: string
  readonly texts: readonly string[]
  readonly sources: readonly (readonly [key: string, ...StoredFacts, paths: readonly number[]])[]
  readonly others: readonly (readonly [key: string, ...StoredFacts, reads: readonly StoredRead[]])[]
}

type StoredFacts = readonly [fingerprint: string, inputs: readonly number[], warnings: readonly number[]]
type StoredRead = readonly [path: number, id: string | null]

const format = 1
const maxBytes = 64 * 1024 * 1024
/** Files of other repositories that are kept beside one; those that were written longest ago go first. */
const maxFiles = 50

/** A file that is not to be used, and why. */
export class UnusableFileError extends Error {
  override name = 'UnusableFileError'
}

/**
 * Reads inspections; undefined when there is no file, or one of another identity.
 * @param identity the inputs that decide inspections besides the files: versions and settings
 * @throws UnusableFileError for a file that is damaged, another user's or no file
 */
export async function readInspections(
  file: string,
  identity: string,
): Promise<StoredInspections | undefined> {
  const text = await readOwn(file)
  if (text === undefined) return undefined
  const [head = '', body = ''] = split(text)
  if (head !== headOf(body, identity)) {
    if (head.startsWith(`wadi inspections ${hash('sha256', body)} `)) return undefined
    throw new UnusableFileError('it is damaged')
  }
  const { commit, texts, sources, others } = JSON.parse(body) as FileContent
  const textAt = (index: number): string => texts[index] ?? ''
  const factsOf = ([fingerprint, inputs, warnings]: StoredFacts): SourceFacts => ({
    fingerprint,
    inputs: inputs.map(textAt),
    warnings: warnings.map(textAt),
  })
  const elsewhere = others.map(([key, fingerprint, inputs, warnings, reads]) => ({
    key,
    facts: {
      ...factsOf([fingerprint, inputs, warnings]),
      reads: reads.map(([path, id]): TreeRead => [textAt(path), id ?? undefined]),
    },
  }))
  return {
    commit,
    sources: new Map(
      sources.map(([key, fingerprint, inputs, warnings, paths]) => [
        key,
        { ...factsOf([fingerprint, inputs, warnings]), paths: paths.map(textAt) },
      ]),
    ),
    others: new Map(
      [...Map.groupBy(elsewhere, ({ key }) => key)].map(([key, all]) => [key, all.map(({ facts }) => facts)]),
    ),
  }
}

/** Writes inspections in the place of those before, so that a reader finds either, whole. */
export async function writeInspections(
  file: string,
  identity: string,
  { commit, sources, others }: StoredInspections,
): Promise<void> {
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => numbers.getOrInsert(text, numbers.size)
  const factsOf = ({ fingerprint, inputs, warnings }: SourceFacts): StoredFacts => [
    fingerprint,
    inputs.map(numberOf),
    warnings.map(numberOf),
  ]
  const content: FileContent = {
    commit,
    sources: Array.from(
      sources,
      ([key, facts]) => [key, ...factsOf(facts), facts.paths.map(numberOf)] as const,
    ),
    others: [...others].flatMap(([key, all]) =>
      all.map((facts) => {
        const reads = facts.reads.map(([path, id]): StoredRead => [numberOf(path), id ?? null])
        return [key, ...factsOf(facts), reads] as const
      }),
    ),
    texts: [...numbers.keys()],
  }
  const body = JSON.stringify(content)
  if (body.length > maxBytes / 2) return
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomUUID()}`
  try {
    await writeFile(temporary, `${headOf(body, identity)}\n${body}`, { mode: 0o600 })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await removeOldest(dirname(file))
}

/** By the digest, a file that was cut short or changed is recognised, so that what it says needs no other check. */
function headOf(body: string, identity: string): string {
  return `wadi inspections ${hash('sha256', body)} ${hash('sha256', `${format} ${identity}`)}`
}

function split(text: string): string[] {
  const end = text.indexOf('\n')
  return end < 0 ? [text] : [text.slice(0, end), text.slice(end + 1)]
}

/** The text of a file of this user; undefined when there is none. */
async function readOwn(file: string): Promise<string | undefined> {
  let handle
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new UnusableFileError('it cannot be read', { cause: error })
  }
  await using opened = handle
  const stats = await opened.stat()
  if (!stats.isFile()) throw new UnusableFileError('it is not a file')
  if (process.getuid && stats.uid !== process.getuid()) throw new UnusableFileError("it is another user's")
  if (stats.size > maxBytes) throw new UnusableFileError('it is too large')
  return await opened.readFile('utf8')
}

async function removeOldest(directory: string): Promise<void> {
  const names = await readdir(directory)
  if (names.length <= maxFiles) return
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(directory, name)
      return { file, time: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0 }
    }),
  )
  const oldest = files.toSorted((a, b) => a.time - b.time).slice(0, names.length - maxFiles)
  for (const { file } of oldest) await rm(file, { force: true, recursive: true })
}
