import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { runGit } from '../process/run-git.ts'

const markerName = 'wadi-mirror'
/** In the directory of a mirror that may lack objects of what it has commits of. */
const partName = 'wadi-part'
/** git's file, which a mirror that may lack objects does not need. */
const configName = 'config'

/**
 * Makes sure that a directory is a finished bare repository which mirrors the given repository.
 *
 * A new one is built beside it and moved into place, so a directory is finished or absent. In an existing one the
 * leftovers of a killed git (locks, temporary packs) are removed: a mirror has one owner, and it is just opening it.
 * @param identity the normalised URL, kept in the directory so that no other repository is ever mixed in
 * @param isPart true to make a new one that may lack objects
 * @returns true if the mirror may lack objects
 * @throws FailedPreconditionError for a directory that holds something else
 */
export async function prepareMirrorDirectory(
  directory: string,
  identity: string,
  isPart: boolean,
  signal?: AbortSignal,
): Promise<boolean> {
  const names = await namesIn(directory)
  for (const beside of [unfinishedOf(directory), formerOf(directory)]) {
    await rm(beside, { recursive: true, force: true })
  }
  const create = (): Promise<void> => replaceMirrorDirectory(directory, identity, { isPart, signal })
  if (names.length === 0) return create().then(() => isPart)
  if (!names.includes(markerName)) {
    throw new FailedPreconditionError(`${directory} is not empty and not a mirror; use another directory`)
  }
  const marker = await readFile(path.join(directory, markerName), 'utf8')
  if (marker !== `${identity}\n`) {
    throw new FailedPreconditionError(`${directory} mirrors another repository; use another directory`)
  }
  if (!isIntact(names)) return create().then(() => isPart)
  await removeLeftovers(directory)
  return names.includes(partName)
}

/** The kind of a new mirror, and what it has from the beginning. */
type NewMirror = {
  /** True if it may lack objects. */
  isPart: boolean
  /** Brings what the new one has, before the old one goes; throws to keep that. */
  fill?: (directory: string) => Promise<void>
  /** Is around the moment in which the new one takes the place of the old one, whose files go afterwards. */
  around?: (replace: () => Promise<void>) => Promise<void>
  signal?: AbortSignal | undefined
}

/** Puts a new mirror in the place of what there is; that goes when the new one is finished. */
export async function replaceMirrorDirectory(
  directory: string,
  identity: string,
  { isPart, fill, around, signal }: NewMirror,
): Promise<void> {
  const unfinished = unfinishedOf(directory)
  await rm(unfinished, { recursive: true, force: true })
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    await runGit({ args: ['init', '--quiet', '--bare', '--template=', '--', unfinished], signal })
    await writeFile(path.join(unfinished, markerName), `${identity}\n`)
    if (isPart) {
      await writeFile(path.join(unfinished, partName), '')
      // Versions that know no parts make a mirror without it again.
      await rm(path.join(unfinished, configName))
    }
    await fill?.(unfinished)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  }
  const former = formerOf(directory)
  await rm(former, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const replace = async (): Promise<void> => {
    await rename(directory, former)
    await rename(unfinished, directory)
  }
  await (around?.(replace) ?? replace())
  await rm(former, { recursive: true, force: true })
}

/** Removes a mirror that nobody has open. */
export async function removeMirrorDirectory(directory: string): Promise<void> {
  const former = formerOf(directory)
  for (const beside of [unfinishedOf(directory), former]) await rm(beside, { recursive: true, force: true })
  // Half of a mirror would be taken for a damaged one.
  if (existsSync(directory)) await rename(directory, former)
  await rm(former, { recursive: true, force: true })
}

/** Keeps in the directory of a mirror that it is used now. */
export async function touchMirrorDirectory(directory: string): Promise<void> {
  const now = new Date()
  await utimes(path.join(directory, markerName), now, now)
}

/** Returns the normalised URL of a mirror and the time of its last use, as `Date.now()` says it; undefined where no finished one is. */
export async function readMirrorUse(directory: string): Promise<{ url: string; usedAt: number } | undefined> {
  const marker = path.join(directory, markerName)
  try {
    const { mtimeMs } = await stat(marker)
    return { url: (await readFile(marker, 'utf8')).trimEnd(), usedAt: mtimeMs }
  } catch {
    return undefined
  }
}

function formerOf(directory: string): string {
  return `${directory}.former`
}

function unfinishedOf(directory: string): string {
  return `${directory}.new`
}

async function namesIn(directory: string): Promise<string[]> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  return readdir(directory)
}

function isIntact(names: readonly string[]): boolean {
  const isPart = names.includes(partName) && !names.includes(configName)
  return ['HEAD', 'objects', 'refs', ...(isPart ? [] : [configName])].every((name) => names.includes(name))
}

async function removeLeftovers(directory: string): Promise<void> {
  const remove = (...names: string[]): Promise<void> =>
    rm(path.join(directory, ...names), { recursive: true, force: true })
  for (const name of await readdir(directory)) {
    if (name.endsWith('.lock') || name.startsWith('fast_import_crash_')) await remove(name)
  }
  for (const name of await readdir(path.join(directory, 'refs'), { recursive: true })) {
    if (name.endsWith('.lock')) await remove('refs', name)
  }
  await removeObjectFiles(directory, /(?:^|\/)(?:tmp_[^/]*|incoming-[^/]*|[^/]*\.lock|pack-[^/]*\.keep)$/)
}

/**
 * Removes the unfinished objects and packs that git leaves when the disk is full; they alone may fill it. A git that is just
 * writing in the same mirror fails too, without a change of any ref.
 */
export async function removeUnfinishedObjects(directory: string): Promise<void> {
  await removeObjectFiles(directory, /(?:^|\/)tmp_[^/]*$/)
}

async function removeObjectFiles(directory: string, pattern: RegExp): Promise<void> {
  const objects = path.join(directory, 'objects')
  for (const name of await readdir(objects, { recursive: true })) {
    if (pattern.test(name)) await rm(path.join(objects, name), { recursive: true, force: true })
  }
}
