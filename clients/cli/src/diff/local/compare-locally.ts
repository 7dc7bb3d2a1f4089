import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { markMoves } from '@wadi/changes/applications/mark-moves.ts'
import { renamedApplications } from '@wadi/changes/applications/renamed-applications.ts'
import { summarize } from '@wadi/changes/applications/summary.ts'
import type { NoiseRule } from '@wadi/changes/noise/noise-rules.ts'
import { mapWithLimit } from '@wadi/concurrency/map-with-limit.ts'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { someInLine, someOf } from '@wadi/errors/some-of.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import type { CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { by } from '@wadi/order/by-name.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { settingsFile } from '@wadi/rendering/source/repository-settings.ts'
import { CommandFailure } from '../../command-line/command-failure.ts'
import type { CommandSession } from '../../command-line/command-session.ts'
import type { LocalPlugins } from '../../render/local-commands.ts'
import type { ComparedRevisions, Comparison } from '../comparison.ts'
import type { ComparisonProgress } from '../comparison-progress.ts'
import type { ApplicationFiles } from './application-files.ts'
import { BranchVersions } from './branch-versions.ts'
import { brokenFiles } from './broken-files.ts'
import { compareApplication } from './compare-application.ts'
import { incompleteMakers } from './incomplete-makers.ts'
import { type FoundApplications, revisionsIn } from './local-applications.ts'
import { LocalRenderer } from './local-renderer.ts'
import { LocalRepository } from './local-repository.ts'
import { applicationsOf, drySideAt, heldSides, sidesAt, underNewNames } from './local-sides.ts'
import type { ServedApplications } from './served-applications.ts'
import type { SetExpansion } from './set-expansion.ts'
import { FoundElsewhere } from './sources-elsewhere.ts'
import type { SourcesElsewhere } from './source-files.ts'
import { cacheDirectory } from '../../render/local-policy.ts'

/** The inputs of a comparison on this machine. */
export interface LocalWork {
  readonly session: Pick<CommandSession, 'environment' | 'signal' | 'warn' | 'inform'>
  readonly plugins: LocalPlugins
  readonly progress: ComparisonProgress
  /** The Applications of a server; undefined for others. */
  readonly served: ServedApplications | undefined
  /** The kubeconfig of a cluster that has the Applications; undefined for those of a server, or of the repository itself. */
  readonly kubeconfig: string | undefined
}

/** Characters of all texts together. */
const maxText = 64 * 1024 * 1024
const maxSettingsBytes = 1024 * 1024
/** Warnings beside the error that there is nothing to compare. */
const maxNotes = 5
const maxListed = 20

/**
 * Compares the working tree around this directory with the commit at which it left a base, without one with what the
 * branches of a server hold, and without a server with the commit that is checked out.
 */
export async function compareLocally(compared: ComparedRevisions, work: LocalWork): Promise<Comparison> {
  const { session, plugins, progress, served } = work
  progress.show({ phase: 'resolve', done: 0, total: 0 })
  // The server answers while the working tree is read.
  served?.list().catch(() => undefined)
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
  const known = baseTree ?? (await headTree(repository))
  const { environment, signal, warn } = session
  const treeOf = (commit: string) => repository.tree(commit)
  if (known) await renderer.keepInspections(compared.repoUrl, { base: known, treeOf, warn })
  await using elsewhere = new FoundElsewhere(cacheDirectory(environment), environment, signal)
  const isCompared = await follower(compared, repository)
  const versions = new BranchVersions(repository, compared.repoUrl, served?.versions, warn)
  const trees = { tree, baseTree, isCompared, versions }
  const found = await findSides(compared, { ...work, ...trees, repository, renderer, elsewhere })
  const { before, after, names, failed, warnings: notes } = found
  const keys = names.filter((key) => {
    const shown = (after.get(key) ?? before.get(key))?.application
    return shown !== undefined && revisionsIn(compared.repoUrl, shown).some(isCompared)
  })
  if (keys.length + failed.length === 0) {
    throw nothingToCompare(compared, { found: found.known, where: placeOf(work), notes })
  }
  const { rules, warnings } = await readRules(baseTree ?? tree)
  let [rendered, done] = [0, 0]
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
  const applications = [...results.flatMap((changes) => changes ?? []), ...failed].toSorted(
    by(({ namespace, name }) => `${namespace}/${name}`),
  )
  markMoves(applications)
  for (const line of renderer.versions.lines) session.inform(line)
  const summary = summarize(applications, {
    applications: keys.length + failed.length,
    elsewhere: names.length - keys.length,
    messages: [...notes, ...warnings, ...renderer.versions.warnings],
    rendered,
    target: compared.target || compared.base,
    baseSha: baseSha ?? '',
  })
  return { applications, summary }
}

/** Both sides of the Applications that are asked for, whatever revision they follow. */
async function findSides(
  compared: ComparedRevisions,
  {
    repository,
    renderer,
    elsewhere,
    tree,
    baseTree,
    isCompared,
    versions,
    session: { signal },
    served,
    kubeconfig,
  }: Pick<LocalWork, 'session' | 'served' | 'kubeconfig'> & {
    repository: LocalRepository
    renderer: LocalRenderer
    elsewhere: SourcesElsewhere
    tree: CommitTree
    baseTree: CommitTree | undefined
    isCompared: (revision: string) => boolean
    versions: BranchVersions
  },
) {
  await using owned = new AsyncDisposableStack()
  const sets = setsOf(owned)
  const { repoUrl } = compared
  const sideAt = (at: CommitTree) => drySideAt(at, repository, { repoUrl, isCompared, versions, signal })
  const shared = { repository, elsewhere, sideAt }
  let files: ApplicationFiles | undefined
  const search = async (at: CommitTree): Promise<FoundApplications> => {
    if (served) return served.list()
    if (kubeconfig !== undefined) {
      const { clusterApplications } = await import('./cluster-applications.ts')
      return clusterApplications(kubeconfig, repoUrl, signal)
    }
    const { findApplications } = await import('./find-applications.ts')
    const { readApplicationFiles } = await import('./application-files.ts')
    files = await readApplicationFiles(at, files)
    return findApplications(sideAt(at), files, { renderer, sets, elsewhere })
  }
  const found = await search(tree)
  const isElsewhere = served !== undefined || kubeconfig !== undefined
  const old = isElsewhere || !baseTree ? found : await search(baseTree)
  const after = sidesAt(tree, found, shared)
  const before = baseTree ? sidesAt(baseTree, old, shared) : await heldSides(found, served, shared)
  const all = new Set([...before.keys(), ...after.keys()])
  const makers = incompleteMakers(old, found, all)
  const broken = brokenFiles(old, found)
  const isKnown = (key: string): boolean =>
    (before.has(key) && after.has(key)) || !(makers.isUnknown(key) || broken.keys.has(key))
  const renamed = renamedApplications(applicationsOf(before), applicationsOf(after), [...all].filter(isKnown))
  const newNames = new Map([...renamed].map(([next, previous]) => [previous, next]))
  const asked = askedAmong(all, compared).filter(isKnown)
  const names = [...new Set(asked.map((key) => newNames.get(key) ?? key))]
  const failed = [...makers.failed, ...broken.failed]
  const warnings = [...found.warnings, ...broken.warnings, ...makers.warnings]
  return { before: underNewNames(before, renamed), after, names, failed, known: [...all], warnings }
}

/** Opens what expands ApplicationSets when the first one comes: most repositories have none. */
function setsOf(owned: AsyncDisposableStack): () => Promise<SetExpansion> {
  let opened: Promise<SetExpansion> | undefined
  return () => (opened ??= import('./set-expansion.ts').then((sets) => owned.use(new sets.SetExpansion())))
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

async function headTree(repository: LocalRepository): Promise<CommitTree | undefined> {
  const head = await repository.resolve('HEAD')
  return head === undefined ? undefined : repository.tree(head)
}

/**
 * The Applications that are asked for, all unless some are named.
 * @throws CommandFailure for a name that none has
 */
function askedAmong(known: ReadonlySet<string>, { applications, repoUrl }: ComparedRevisions): string[] {
  if (applications.length === 0 || known.size === 0) return [...known]
  const asked = applications.map(({ namespace, name }) => `${namespace || controlPlaneNamespace}/${name}`)
  const missing = asked.filter((key) => !known.has(key))
  if (missing.length === 0) return [...new Set(asked)]
  throw new CommandFailure(
    `no application of ${repoUrl} is named ${someInLine(missing, maxNotes)}; there are ${someInLine([...known].toSorted(), maxListed)}`,
  )
}

/**
 * Returns a test for the target revision; `HEAD` is taken for it, as only the remote knows what that names. A base that is not a
 * branch names none, so all revisions are.
 */
async function follower(
  { target, base }: ComparedRevisions,
  repository: LocalRepository,
): Promise<(revision: string) => boolean> {
  const short = (name: string): string =>
    name.replace(/^(?:refs\/heads\/|refs\/remotes\/origin\/|origin\/)/, '')
  const wanted = short(target || base)
  const isNamed = target === '' ? await repository.isBranch(wanted) : !isCommitSha(wanted)
  if (!isNamed) return () => true
  return (revision) => ['', 'HEAD', wanted].includes(short(revision))
}

/** Returns the place in which Applications are searched. */
function placeOf({ served, kubeconfig }: LocalWork): string {
  if (served) return 'the server'
  return kubeconfig === undefined ? 'this repository' : `the cluster of ${kubeconfig}`
}

/** Says what was looked for, and what may be why nothing was found. */
function nothingToCompare(
  { repoUrl, target, base }: ComparedRevisions,
  { found, where, notes }: { found: readonly string[]; where: string; notes: readonly string[] },
): CommandFailure {
  const message =
    found.length > 0
      ? `no application of ${repoUrl} follows ${target || base}; name another --target`
      : `${where} has no application whose dry source is ${repoUrl}`
  return new CommandFailure([message, ...someOf(notes, maxNotes)].join('\n'))
}

async function readRules(tree: CommitTree): Promise<{ rules: NoiseRule[]; warnings: string[] }> {
  try {
    const entry = await tree.entry(settingsFile)
    if (entry?.kind !== 'file') return { rules: [], warnings: [] }
    const { readNoiseRules } = await import('@wadi/changes/noise/read-noise-rules.ts')
    return {
      rules: readNoiseRules(await tree.read(settingsFile, maxSettingsBytes), settingsFile),
      warnings: [],
    }
  } catch (error) {
    return { rules: [], warnings: [`no differences are ignored: ${errorMessage(error)}`] }
  }
}
