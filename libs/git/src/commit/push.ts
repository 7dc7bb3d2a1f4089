import { ConflictError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { AtomicUnsupportedError, classifyGitFailure, classifyPushRejection } from '../process/git-failure.ts'
import type { PushRejection } from '../process/git-failure.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { type BuiltPack, packToSend } from './built-pack.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { OddAnswerError } from '../smart-http/pkt-line.ts'
import { pushPack } from '../smart-http/push-pack.ts'
import type { PushReport } from '../smart-http/push-pack.ts'
import { assertCommitSha, assertRefName } from '../mirror/revision.ts'

/** One ref to move on the remote. */
export type RefUpdate = {
  /** The commit that the ref must name. */
  source: string
  /** The full name of the ref. */
  ref: string
  /** The current object of the ref, or undefined if it must not exist. */
  expected: string | undefined
}

const transferTimeoutMs = 30 * 60_000
/** The size of a pack that is kept in memory until it is sent. */
const maxPackBytes = 16 * 1024 * 1024
const maxOtherHeads = 64

/** Tells whether a push failed because the server cannot update several refs as one. */
export function isAtomicUnsupported(error: unknown): boolean {
  return error instanceof AtomicUnsupportedError
}

/**
 * Pushes commits as compare-and-swap: a ref moves only from `expected`, and only forward. Never forces: a lease
 * alone would let history be rewritten, so each update is first shown to be a fast-forward.
 * @param options `built` is the pack that the commits were built in, which is sent as it is where that is enough
 * @throws ConflictError if another writer was faster, or `source` does not descend from `expected`;
 *   FailedPreconditionError for a protected ref, or (see `isAtomicUnsupported`) a server that cannot do `atomic`;
 *   UnavailableError, after which the push may or may not have happened
 */
export async function pushRefs(
  mirror: Mirror,
  updates: RefUpdate[],
  options: { atomic: boolean; built?: BuiltPack | undefined; signal?: AbortSignal | undefined },
): Promise<void> {
  if (updates.length === 0) return
  for (const update of updates) await assertFastForward(mirror, update, options.signal)
  const whole = AbortSignal.any([
    AbortSignal.timeout(transferTimeoutMs),
    ...(options.signal === undefined ? [] : [options.signal]),
  ])
  const { atomic, built } = options
  const { rejections, remarks } = await mirror.contact(
    'push',
    {
      builtIn: (target, memory) =>
        memory.withReceivePack(target, async (capabilities) => {
          const sent = built && (await packToSend(built, updates))
          const pack = sent ?? (await packFor(mirror, updates, memory.heads, target.signal))
          return pushPack(target, capabilities, updates, atomic, pack)
        }),
      git: (target) => pushByGit(mirror, target, updates, atomic),
    },
    whole,
  )
  // The others fail along with the one that an atomic push failed for.
  const cause = rejections.find(({ summary }) => !/atomic push fail/.test(summary)) ?? rejections[0]
  if (cause !== undefined) {
    const refs = updates.map(({ ref }) => ref)
    throw classifyPushRejection(cause, remarks, { command: 'push', url: mirror.url, refs })
  }
}

async function pushByGit(
  mirror: Mirror,
  target: RemoteTarget,
  updates: readonly RefUpdate[],
  atomic: boolean,
): Promise<PushReport> {
  const leases = updates.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ''}`)
  const flags = ['--porcelain', '--no-verify', '--no-follow-tags', ...(atomic ? ['--atomic'] : [])]
  const refspecs = updates.map(({ source, ref }) => `${source}:${ref}`)
  const args = ['push', ...flags, ...leases, '--', target.url.text, ...refspecs]
  const options = { timeoutMs: transferTimeoutMs, acceptExitCodes: [0, 1] }
  const { stdout, stderr, exitCode } = await mirror.talk(target, args, options)
  const rejections = exitCode === 0 ? [] : parseRejections(stdout.toString())
  if (exitCode !== 0 && rejections.length === 0) {
    const { credentials } = target
    throw classifyGitFailure(stderr, exitCode, { command: 'push', url: mirror.url, credentials })
  }
  return { rejections, remarks: stderr }
}

/**
 * The objects that the server lacks. It has what the refs are expected to name; where a ref is new, what other refs named when they
 * were listed last.
 * @throws OddAnswerError for so many that git should send them
 */
async function packFor(
  mirror: Mirror,
  updates: readonly RefUpdate[],
  heads: readonly string[],
  signal: AbortSignal,
): Promise<Buffer> {
  const known = new Set(updates.flatMap(({ expected }) => (expected === undefined ? [] : [expected])))
  if (mirror.isPart || updates.some(({ expected }) => expected === undefined)) {
    for (const head of heads.slice(0, maxOtherHeads)) if (await mirror.hasObject(head)) known.add(head)
  }
  const input = [...updates.map(({ source }) => source), ...[...known].map((object) => `^${object}`), '']
  // Files of a kind are much alike: the nearest four shrink them nearly as far as ten do, in two thirds of the time.
  const args = ['pack-objects', '--window=4', '--revs', '--stdout', '--thin', '--delta-base-offset', '-q']
  const options = {
    input: input.join('\n'),
    maxOutputBytes: maxPackBytes,
    timeoutMs: transferTimeoutMs,
    signal,
  }
  const pack = async (): Promise<Buffer> => {
    try {
      return (await mirror.raw(args, options)).stdout
    } catch (error) {
      if (!(error instanceof ResourceExhaustedError)) throw error
      throw new OddAnswerError('the pack is large; git sends it without keeping it in memory')
    }
  }
  if (!mirror.isPart) return pack()
  try {
    return await pack()
  } catch (error) {
    await fetchSent(mirror, options.input, updates, signal)
    if (error instanceof OddAnswerError) throw error
    return pack()
  }
}

/** Fetches what a pack shall have and was left out when it was fetched, as where a branch lost commits that are sent again. */
async function fetchSent(
  mirror: Mirror,
  input: string,
  updates: readonly RefUpdate[],
  signal: AbortSignal,
): Promise<void> {
  const args = ['rev-list', '--objects', '--no-object-names', '--missing=print', '--stdin']
  const created = updates.filter(({ expected }) => expected === undefined).map(({ source }) => source)
  if (created.length > 0) await mirror.completeHistory(created, signal)
  const [{ source } = { source: '' }] = updates
  // What is missing below a directory shows once that is there.
  for (;;) {
    const { stdout } = await mirror.raw(args, { input, signal })
    const missing = stdout
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('?'))
    if (missing.length === 0) return
    await mirror.objects.absent?.load(
      source,
      missing.map((line) => line.slice(1)),
    )
  }
}

async function assertFastForward(
  mirror: Mirror,
  { source, ref, expected }: RefUpdate,
  signal?: AbortSignal,
): Promise<void> {
  assertRefName(ref)
  assertCommitSha(source)
  if (expected === undefined) return
  assertCommitSha(expected)
  const known = await mirror.hasObject(expected)
  if (!known || !(await mirror.isAncestor(expected, source, signal))) {
    throw new ConflictError(
      `${source} does not descend from ${expected}, which ${ref} names: fetch and build again`,
    )
  }
}

function parseRejections(porcelain: string): PushRejection[] {
  return porcelain.split('\n').flatMap((line) => {
    const [flag, refs = '', summary = ''] = line.split('\t')
    return flag === '!' ? [{ ref: refs.slice(refs.indexOf(':') + 1), summary }] : []
  })
}
