import { mkdir, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { incompleteMarker } from '@wadi/errors/unusable-directory.ts'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { syncToDisk } from '@wadi/rpc/durable-file.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { knownFiles, recordFile } from './data-files.ts'

/** The names that backups and restores make at the top of a directory; SQLite's own files while it writes a copy are named after that. */
const ownNames: ReadonlySet<string> = new Set(
  [...knownFiles, recordFile].flatMap((file) => {
    const [top = ''] = file.split('/')
    return [top, `${top}-journal`]
  }),
)

/**
 * Fills a directory with files, in order and for their owner alone, or leaves it empty. It may be where a volume is mounted, so it is filled in
 * place. A marker is there until all is on the disk; what an interrupted attempt left with it is replaced.
 * @param make writes the content of a file over an empty one
 * @throws CommandFailure when the directory has anything else, and with the reason when `make` fails
 */
export async function fillDirectory(
  path: string,
  files: readonly string[],
  make: (file: string, to: string) => Promise<void>,
): Promise<void> {
  const target = resolve(path)
  await requireFree(target, (await namesIn(target)).includes(incompleteMarker))
  let firstMade: string | undefined
  try {
    firstMade = await mkdir(target, { recursive: true, mode: 0o700 })
    using owned = new DisposableStack()
    owned.use(await mark(target))
    await syncUpTo(target, firstMade === undefined ? target : dirname(firstMade))
    const failure = await fillMarked(target, files, make).catch(async (error: unknown) => {
      await removeOwn(target)
      return { error }
    })
    await rm(join(target, incompleteMarker))
    await syncToDisk(target)
    if (failure !== undefined) throw failure.error
  } catch (error) {
    if (firstMade !== undefined) await rmdir(target).catch(() => undefined)
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`${target} is not made: ${errorMessage(error)}`, undefined, { cause: error })
  }
}

/** @param isInterrupted true if the directory may contain files of an earlier attempt */
async function requireFree(target: string, isInterrupted: boolean): Promise<void> {
  const names = await namesIn(target)
  const foreign = names.find((name) => name !== incompleteMarker && !(isInterrupted && ownNames.has(name)))
  if (foreign === undefined) return
  throw new CommandFailure(
    `${target} is not empty, it has ${foreign}; choose an empty directory, or one that does not exist yet`,
  )
}

async function fillMarked(
  target: string,
  files: readonly string[],
  make: (file: string, to: string) => Promise<void>,
): Promise<undefined> {
  await removeOwn(target)
  for (const file of files) {
    const to = join(target, file)
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await writeFile(to, '', { mode: 0o600, flag: 'wx' })
    await make(file, to)
    await syncToDisk(to)
    await syncUpTo(dirname(to), target)
  }
}

/** Puts the marker or takes over that of an interrupted attempt; until disposal, this process alone has it. */
async function mark(target: string): Promise<Disposable> {
  const marker = join(target, incompleteMarker)
  const isNew = await writeFile(marker, '', { mode: 0o600, flag: 'wx' }).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'EEXIST')) return false
      throw error
    },
  )
  using opened = new DisposableStack()
  try {
    const url = pathToFileURL(marker)
    url.search = 'mode=rw'
    const database = new DatabaseSync(url, { timeout: 0 })
    opened.defer(() => database.close())
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    await stat(marker)
  } catch (cause) {
    throw new CommandFailure(`${target} is being filled by another command`, undefined, { cause })
  }
  if (isNew) {
    await requireFree(target, false).catch(async (error: unknown) => {
      await rm(marker)
      throw error
    })
  }
  return opened.move()
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function removeOwn(target: string): Promise<void> {
  for (const name of await namesIn(target)) {
    if (ownNames.has(name)) await rm(join(target, name), { recursive: true })
  }
}

/** The entries of a directory, besides those that each file system has at its root. */
async function namesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  })
  return names.filter((name) => name !== 'lost+found')
}

async function syncUpTo(directory: string, top: string): Promise<void> {
  await syncToDisk(directory)
  if (directory !== top && dirname(directory) !== directory) await syncUpTo(dirname(directory), top)
}
