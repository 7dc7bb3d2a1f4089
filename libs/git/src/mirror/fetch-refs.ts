import { DomainError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { MachineShortageError } from '@wadi/errors/machine-shortage.ts'
import type { ObjectReader } from '../objects/object-reader.ts'
import { CorruptMirrorError } from '../process/git-failure.ts'
import type { GitResult, RunGitOptions } from '../process/run-git.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { redactUrl } from '../remote/repository-url.ts'
import { fetchPack } from '../smart-http/fetch-pack.ts'
import type { PackRequest } from '../smart-http/fetch-pack.ts'
import { listRefs } from '../smart-http/list-refs.ts'
import { OddAnswerError } from '../smart-http/pkt-line.ts'
import type { ServerMemory } from '../smart-http/server-memory.ts'
import { writeMirrorRef } from './mirror-ref.ts'
import { isObject, isStorableRef, mapRef, parseRefspec } from './refspec.ts'
import type { Refspec } from './refspec.ts'

/** The repository on disk that is fetched into. */
export type FetchedRepository = {
  directory: string
  objects: ObjectReader
  /** Runs a git command in it. */
  run: (args: string[], options?: Pick<RunGitOptions, 'input' | 'acceptExitCodes'>) => Promise<GitResult>
}

/** The ref of the newest commit whose whole history is in a mirror that may lack objects. */
export const historyRef = 'refs/wadi/history'
/** The same of one whose whole history is there with its trees. */
export const treesRef = 'refs/wadi/trees'

/** As many refs are offered to a server at first, and as many commits when it knows none of them. */
const maxHaves = 256
const maxMoreHaves = 2_000

/** Commits with their trees, without files and history. */
const tipLimits = ['filter blob:none', 'deepen 1']

/** The refs and objects to fetch. */
type Wanted = {
  refspecs: readonly string[]
  /** Refs of the repository that new commits probably begin at. */
  near: readonly string[]
  /**
   * The objects that come along: `whole` for everything, `tips` for the commits of the refs and their trees without files and history,
   * `rest` for what `historyRef` does not lead to at the server. The mirror may lack objects afterwards, except with `whole`, the default.
   */
  scope?: 'whole' | 'tips' | 'rest'
}

/**
 * Fetches as `git fetch --prune --no-tags` does, by protocol 2 without a program that talks to the server. The pack goes through one
 * `git index-pack`, which installs it only if everything that its objects name is there (docs/decisions/0004).
 * @throws as `fetchPack`; NotFoundError for a ref that the remote does not have; OddAnswerError where git has to fetch
 */
export async function fetchRefs(
  repository: FetchedRepository,
  remote: RemoteTarget,
  memory: ServerMemory,
  { refspecs, near, scope = 'whole' }: Wanted,
): Promise<void> {
  const parsed = refspecs.map(parseRefspec)
  if (parsed.some(({ target, isForced }) => target !== undefined && !isForced)) {
    throw new OddAnswerError('a ref that may only move forward is updated by git')
  }
  memory.assertProtocol2()
  const wanted = await findWanted(remote, memory, parsed)
  const local = await readLocal(repository, parsed, { wanted, near })
  const names = [...parsed.filter(isBare).map(({ source }) => source), ...wanted.values()]
  // Where objects may be missing, a commit is of use with its tree.
  const missing = await missingObjects(repository, names, scope === 'whole' ? '' : '^{tree}')
  if (missing.length > 0) {
    const request = await requestFor(repository, scope, missing, tips(wanted, local))
    await fetchMissing(repository, remote, memory, scope, request)
  }
  await updateRefs(repository, parsed, wanted, local)
}

function isBare({ target }: Refspec): boolean {
  return target === undefined
}

/** The wanted refs of the mirror, and their objects. Objects that are asked for by name need no list of refs. */
async function findWanted(
  remote: RemoteTarget,
  memory: ServerMemory,
  refspecs: readonly Refspec[],
): Promise<Map<string, string>> {
  const named = refspecs.filter(({ source }) => !isObject(source))
  const prefixes = new Set(named.map(({ source }) => source.split('*', 1)[0] ?? source))
  const { refs } =
    named.length === 0 ? { refs: new Map<string, string>() } : await listRefs(remote, memory, [...prefixes])
  const wanted = new Map<string, string>()
  for (const { source, target } of refspecs) {
    if (target === undefined) continue
    if (isObject(source)) wanted.set(target, source)
    else if (source.includes('*')) {
      for (const [name, object] of refs) {
        const mapped = mapRef(name, source, target)
        if (mapped !== undefined && isStorableRef(mapped)) wanted.set(mapped, object)
      }
    } else {
      const object = refs.get(source)
      if (object === undefined) {
        throw new NotFoundError(
          `revision not found in ${redactUrl(remote.url.text)}: couldn't find remote ref ${source}`,
        )
      }
      wanted.set(target, object)
    }
  }
  return wanted
}

/**
 * The refs of the mirror that a fetch has to know: what it may remove, and what it has already. That is every ref, unless nothing can be
 * removed and those that are updated, or one near to them, are there.
 */
async function readLocal(
  { objects, run }: FetchedRepository,
  refspecs: readonly Refspec[],
  { wanted, near }: { wanted: ReadonlyMap<string, string>; near: readonly string[] },
): Promise<Map<string, string>> {
  const local = new Map<string, string>()
  if (!refspecs.some(({ target }) => target?.includes('*'))) {
    const read = async (refs: Iterable<string>): Promise<number> => {
      const before = local.size
      for (const ref of refs) {
        const object = await objects.resolve(ref)
        if (object !== undefined) local.set(ref, object)
      }
      return local.size - before
    }
    if (wanted.size > 0 && ((await read(wanted.keys())) === wanted.size || (await read(near)) > 0))
      return local
  }
  const { stdout } = await run(['for-each-ref', '--format=%(objectname) %(refname)'])
  for (const line of stdout.toString().split('\n')) {
    const space = line.indexOf(' ')
    if (space > 0) local.set(line.slice(space + 1), line.slice(0, space))
  }
  // Its tree may be missing.
  local.delete(historyRef)
  return local
}

/** Returns the local objects, beginning with those that the remote has moved from: its server knows these best. */
function tips(wanted: ReadonlyMap<string, string>, local: ReadonlyMap<string, string>): string[] {
  const moved = [...wanted].flatMap(([ref, object]) => {
    const before = local.get(ref)
    return before === undefined || before === object ? [] : [before]
  })
  return [...new Set([...moved, ...local.values()])]
}

async function missingObjects(
  { objects }: FetchedRepository,
  names: readonly string[],
  part: '' | '^{tree}',
): Promise<string[]> {
  const found = await Promise.all(
    [...new Set(names)].map(async (name) => [name, await objects.resolve(`${name}${part}`)]),
  )
  return found.flatMap(([name, object]) => (name !== undefined && object === undefined ? [name] : []))
}

async function requestFor(
  repository: FetchedRepository,
  scope: NonNullable<Wanted['scope']>,
  wants: readonly string[],
  known: readonly string[],
): Promise<PackRequest> {
  const commits = async (...args: string[]): Promise<string[]> =>
    (await repository.run(['rev-list', ...args])).stdout.toString().split('\n').filter(Boolean)
  if (scope === 'tips') {
    const haves = await commitsOf(repository, known.slice(0, maxHaves))
    const limits = [...tipLimits, ...haves.map((have) => `shallow ${have}`)]
    return { wants, haves, moreHaves: async () => [], limits }
  }
  if (scope === 'rest') {
    const hasHistory = (await repository.objects.resolve(historyRef)) !== undefined
    const shared = hasHistory ? await commits(`--max-count=${maxMoreHaves}`, historyRef) : []
    const [haves, more] = [shared.slice(0, maxHaves), shared.slice(maxHaves)]
    return { wants, haves, moreHaves: async () => more, isThin: false }
  }
  const moreHaves = (): Promise<string[]> => commits(`--max-count=${maxMoreHaves}`, '--all')
  return { wants, haves: known.slice(0, maxHaves), moreHaves }
}

/** The commits that objects are or that tags name; servers take nothing else for the end of a history. */
async function commitsOf({ objects }: FetchedRepository, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => objects.resolve(`${name}^{commit}`)))
  return [...new Set(found)].filter((commit) => commit !== undefined)
}

async function fetchMissing(
  repository: FetchedRepository,
  remote: RemoteTarget,
  memory: ServerMemory,
  scope: Wanted['scope'],
  request: PackRequest,
): Promise<void> {
  const fetch = async (asked: PackRequest): Promise<void> => {
    await requestPack(repository, remote, memory, asked, scope === 'whole')
    const [lacking] = await missingObjects(repository, request.wants, '')
    if (lacking !== undefined) throw new OddAnswerError(`the answer lacks object ${lacking}`)
  }
  try {
    await fetch(request)
  } catch (error) {
    if (scope === 'whole' || request.haves.length === 0 || !(error instanceof OddAnswerError)) throw error
    // Of what was offered something may be missing that the pack needs.
    await fetch({ ...request, haves: [], ...(scope === 'tips' && { limits: tipLimits }) })
  }
}

/**
 * Asks for a pack and installs it.
 * @param isWhole true to install it only if each object that it leads to is in it or here
 * @throws as `fetchPack`
 */
export async function requestPack(
  repository: FetchedRepository,
  remote: RemoteTarget,
  memory: ServerMemory,
  request: PackRequest,
  isWhole: boolean,
): Promise<void> {
  const store = (pack: AsyncIterable<Buffer>): Promise<void> => storePack(repository, pack, isWhole)
  await memory.withProtocol2(
    remote,
    (capabilities) => fetchPack(remote, capabilities, request, store),
    () => Promise.reject(new OddAnswerError('the server speaks the first protocol')),
  )
}

/**
 * Installs a pack, a whole one only if each object that it leads to is in it or here. Earlier packs of a whole mirror were checked in the
 * same way, so everything is complete.
 * @throws what reading the pack throws; OddAnswerError for a pack that is not installed, which git then judges
 */
async function storePack(
  { run }: FetchedRepository,
  pack: AsyncIterable<Buffer>,
  isWhole: boolean,
): Promise<void> {
  let broken: { error: unknown } | undefined
  // What ends the reader, such as its closed pipe, comes out where the chunk went, and not where it came from.
  const chunks = pack[Symbol.asyncIterator]()
  const watched = async function* (): AsyncGenerator<Buffer> {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        broken = { error }
        throw error
      })
      if (next.done) return
      yield next.value
    }
  }
  const check = isWhole ? ['--check-self-contained-and-connected'] : []
  const args = ['index-pack', '--stdin', '--fix-thin', ...check]
  try {
    // 1 says that the pack needs objects that were here before.
    await run(args, { input: watched(), acceptExitCodes: [0, 1] })
  } catch (error) {
    if (broken !== undefined) throw broken.error
    throw isVerdict(error) ? new OddAnswerError(error.message) : error
  }
}

/** True if git rejected its input, and was neither stopped nor short of a resource. */
function isVerdict(error: unknown): error is DomainError {
  if (error instanceof MachineShortageError || !(error instanceof DomainError)) return false
  return error instanceof CorruptMirrorError || error.name === 'UnavailableError'
}

/** Refs that the remote has no more go first: one of them may be the directory of a new one. */
async function updateRefs(
  { directory, run }: FetchedRepository,
  refspecs: readonly Refspec[],
  wanted: ReadonlyMap<string, string>,
  local: ReadonlyMap<string, string>,
): Promise<void> {
  const patterns = refspecs.flatMap(({ target }) => (target?.includes('*') ? [target] : []))
  const removed = [...local.keys()].filter(
    (ref) => !wanted.has(ref) && patterns.some((pattern) => mapRef(ref, pattern, pattern) !== undefined),
  )
  const updated = [...wanted].filter(([ref, object]) => local.get(ref) !== object)
  const [only, ...more] = updated
  if (only && removed.length + more.length === 0 && (await writeMirrorRef(directory, ...only))) return
  const steps = [
    removed.map((ref) => `delete ${ref}\n`),
    updated.map(([ref, object]) => `update ${ref} ${object}\n`),
  ].filter((commands) => commands.length > 0)
  if (steps.length === 0) return
  const input = steps.map((commands) => `start\n${commands.join('')}prepare\ncommit\n`).join('')
  await run(['update-ref', '--no-deref', '--stdin'], { input })
}
