import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { markMoves } from '@wadi/changes/applications/mark-moves.ts'
import { summarize } from '@wadi/changes/applications/summary.ts'
import type { NoiseRule } from '@wadi/changes/noise/noise-rules.ts'
import { readNoiseRules } from '@wadi/changes/noise/read-noise-rules.ts'
import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { by } from '@wadi/order/by-name.ts'
import { settingsFile } from '@wadi/rendering/repository-settings.ts'
import { CommandFailure } from '../../command-line/command-failure.ts'
import type { CommandSession } from '../../command-line/command-session.ts'
import type { LocalPlugins } from '../../render/local-commands.ts'
import type { ComparedRevisions, Comparison } from '../comparison.ts'
import type { ComparisonProgress } from '../comparison-progress.ts'
import { compareApplication, type LocalSide } from './compare-application.ts'
import { findApplications, type FoundApplications, type LocalApplication } from './local-applications.ts'
import { LocalRenderer } from './local-renderer.ts'
import { LocalRepository } from './local-repository.ts'
import type { ServedApplications } from './served-applications.ts'

/** What a comparison on this machine works with. */
export interface LocalWork {
  readonly session: Pick<CommandSession, 'environment' | 'signal'>
  readonly plugins: LocalPlugins
  readonly progress: ComparisonProgress
  /** The Applications of a server; undefined for those in the files of the repository. */
  readonly served: ServedApplications | undefined
}

/** Characters of all texts together. */
const maxText = 64 * 1024 * 1024
const maxSettingsBytes = 1024 * 1024

/** A side of all Applications, by `namespace/name`. */
type Sides = ReadonlyMap<string, LocalSide>

/**
 * Compares the working tree around this directory with the commit at which it left a base, without one with what the
 * branches of a server hold, and without a server with the commit that is checked out.
 */
export async function compareLocally(compared: ComparedRevisions, work: LocalWork): Promise<Comparison> {
  const { session, plugins, progress, served } = work
  progress.show({ phase: 'resolve', done: 0, total: 0 })
  await using repository = await LocalRepository.open(process.cwd(), session.signal)
  const parts = [
    findBase(repository, compared.base, served !== undefined),
    repository.workingTree(),
    LocalRenderer.open(session.environment, plugins, session.signal),
  ] as const
  // An error of one removes the directory that another writes to, so all must be over.
  await Promise.allSettled(parts)
  const [baseSha, treeId, opened] = await Promise.all(parts)
  await using renderer = opened
  const baseTree = baseSha === undefined ? undefined : await repository.tree(baseSha)
  const tree = await repository.tree(treeId)
  const found = served ? await served.list() : await findApplications(tree, compared.repoUrl)
  const old = served || !baseTree ? found : await findApplications(baseTree, compared.repoUrl)
  const after = sidesAt(tree, found)
  const before = baseTree ? sidesAt(baseTree, old) : await heldSides(repository, found, served)
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(isAsked(compared))
  const isFollowing = follower(compared)
  const keys = names.filter((key) => isFollowing((after.get(key) ?? before.get(key))?.application))
  if (keys.length === 0) throw nothingToCompare(compared, names.length, served !== undefined)
  const { rules, warnings } = await readRules(baseTree ?? tree)
  let rendered = 0
  let done = 0
  const of = {
    renderer,
    options: { rules, hashKey: randomBytes(32), budget: { left: maxText } },
    onRendered: () => void rendered++,
  }
  const results = await mapWithLimit(keys, availableParallelism() + 1, async (key) => {
    session.signal.throwIfAborted()
    const changes = await compareApplication(before.get(key), after.get(key), of)
    progress.show({ phase: 'render', done: ++done, total: keys.length })
    return changes
  })
  const applications = results
    .flatMap((changes) => changes ?? [])
    .toSorted(by(({ namespace, name }) => `${namespace}/${name}`))
  markMoves(applications)
  const summary = summarize(applications, {
    applications: keys.length,
    elsewhere: names.length - keys.length,
    messages: [...found.warnings, ...warnings],
    rendered,
    target: compared.target || compared.base,
    baseSha: baseSha ?? '',
  })
  return { applications, summary }
}

/** The commit to compare with; undefined for what the branches of the server hold. */
async function findBase(
  repository: LocalRepository,
  base: string,
  isServed: boolean,
): Promise<string | undefined> {
  if (base === '' && isServed) return undefined
  const head = await repository.resolve('HEAD')
  if (head === undefined) throw new CommandFailure('the checkout has no commit to compare with')
  if (base === '') return head
  const sha = await repository.resolve(base)
  if (sha === undefined) {
    throw new CommandFailure(`revision ${JSON.stringify(base)} does not exist in this checkout; fetch it`)
  }
  const shared = await repository.mergeBase(sha, head)
  if (shared !== undefined) return shared
  throw new CommandFailure(
    `this checkout does not know where it left ${base}; fetch the whole history, for example with "git fetch --unshallow"`,
  )
}

function sidesAt(tree: CommitTree, { applications }: FoundApplications): Sides {
  return new Map(
    [...applications].map(([key, application]) => [
      key,
      { application, tree, revision: tree.sha, source: application.source },
    ]),
  )
}

/** What the branches hold: the dry commit that each was hydrated from shows what differs, and the server what it is. */
async function heldSides(
  repository: LocalRepository,
  { applications }: FoundApplications,
  served: ServedApplications | undefined,
): Promise<Sides> {
  const trees = new Map<string, CommitTree | undefined>()
  const sides = new Map<string, LocalSide>()
  for (const [key, application] of applications) {
    const sha = served?.drySha(key) ?? ''
    if (!trees.has(sha)) {
      const known = sha === '' ? undefined : await repository.resolve(sha)
      trees.set(sha, known === undefined ? undefined : await repository.tree(known))
    }
    const tree = trees.get(sha) ?? (await repository.tree(emptyTree))
    const held = () => served?.held(application) ?? Promise.resolve(undefined)
    sides.set(key, { application, tree, revision: tree.sha, source: application.source, held })
  }
  return sides
}

/** Every repository of git knows it. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

function isAsked({ applications }: ComparedRevisions): (key: string) => boolean {
  if (applications.length === 0) return () => true
  const asked = new Set(applications.map(({ namespace, name }) => `${namespace || 'argocd'}/${name}`))
  return (key) => asked.has(key)
}

/** Whether an Application follows the target; `HEAD` is taken for it, as only the remote knows what that names. */
function follower({
  target,
  base,
}: ComparedRevisions): (application: LocalApplication | undefined) => boolean {
  const short = (name: string): string =>
    name.replace(/^(?:refs\/heads\/|refs\/remotes\/origin\/|origin\/)/, '')
  const wanted = short(target || base)
  if (wanted === '' || /^[0-9a-f]{7,64}$/.test(wanted)) return () => true
  return (application) => ['', 'HEAD', wanted].includes(short(application?.targetRevision ?? ''))
}

function nothingToCompare(compared: ComparedRevisions, found: number, isServed: boolean): CommandFailure {
  const { repoUrl, target, base } = compared
  if (found > 0) {
    return new CommandFailure(`no application of ${repoUrl} follows ${target || base}; name another --target`)
  }
  const where = isServed ? 'the server' : 'the YAML and JSON files of this repository'
  return new CommandFailure(`${where} has no application whose dry source is ${repoUrl}`)
}

async function readRules(tree: CommitTree): Promise<{ rules: NoiseRule[]; warnings: string[] }> {
  try {
    const entry = await tree.entry(settingsFile)
    if (entry?.kind !== 'file') return { rules: [], warnings: [] }
    return {
      rules: readNoiseRules(await tree.read(settingsFile, maxSettingsBytes), settingsFile),
      warnings: [],
    }
  } catch (error) {
    return { rules: [], warnings: [`no differences are ignored: ${errorMessage(error)}`] }
  }
}
