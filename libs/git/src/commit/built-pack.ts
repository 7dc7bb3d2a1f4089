import { readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** A pack of a mirror with commits, and all objects that their parents do not lead to. */
export type BuiltPack = {
  readonly file: string
  readonly commits: readonly string[]
  /** The parents of the first commits. */
  readonly parents: readonly string[]
}

/** A larger one is mostly lists of large directories, which shrink to what they differ in when they are packed for the server. */
const maxSentBytes = 256 * 1024

/**
 * Finds the pack that a fast-import made. Undefined when the repository had some of the objects before: then not all are in the pack, and
 * it is not known whether the server has the others.
 * @param made `edges` is the file in which fast-import named its packs, which is removed; `statistics` is what it printed of the objects
 */
export async function builtPack(
  directory: string,
  { edges, statistics, commits, parents }: { edges: string; statistics: string } & Omit<BuiltPack, 'file'>,
): Promise<BuiltPack | undefined> {
  const file = path.join(directory, edges)
  const named = await readFile(file, 'utf8').catch(() => '')
  await rm(file, { force: true })
  const [, pack, ...others] = /^\S*?(pack-[0-9a-f]{40}\.pack):[^\n]*\n(.+)?/s.exec(named) ?? []
  const isWhole = /^Total objects: +\d+ \( *0 duplicates/m.test(statistics)
  if (pack === undefined || others.some(Boolean) || !isWhole) return undefined
  return { file: path.join(directory, 'objects', 'pack', pack), commits, parents }
}

/**
 * Reads a pack that has exactly what a server lacks for some updates; undefined when it may have something else, is large, or was packed
 * together with others since.
 */
export async function packToSend(
  { file, commits, parents }: BuiltPack,
  updates: readonly { source: string; expected: string | undefined }[],
): Promise<Buffer | undefined> {
  const known = new Set(updates.map(({ expected }) => expected))
  const isExact =
    !known.has(undefined) &&
    parents.every((parent) => known.has(parent)) &&
    updates.every(({ source }) => commits.includes(source))
  if (!isExact) return undefined
  try {
    if ((await stat(file)).size > maxSentBytes) return undefined
    return await readFile(file)
  } catch {
    return undefined
  }
}
