import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { knownHeadOf } from '@wadi/hydration/hydrated-branch.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { chosenDefinitions } from '../../gates/cluster/cluster-definitions.ts'
import type { Directory, ObservedGroup } from '../branch-run.ts'
import { clusterOf } from '../commit/made-objects.ts'
import { heldDirectories } from '../render/held-directories.ts'
import type { RunContext } from '../run-context.ts'
import type { ValidatedInProgress } from '../run-outcome.ts'
import {
  type BranchDefinition,
  type BranchDefinitions,
  definedGroups,
  definitionsAmong,
  type MadeInPass,
  usedKinds,
} from './made-kinds.ts'

/** Those of one branch that are used. Of public projects few have more than 1 MiB. */
const maxDefinitionLength = 16 * 1024 * 1024

/** Far more than Wadi writes. */
const maxManifestBytes = 64 * 1024 * 1024

/** Directories that want definitions, and what decides which ones they get. */
interface WantedDefinitions extends ValidatedInProgress {
  /** The objects that were found of the dry commit, in the place of those of the head. */
  readonly made: MadeInPass | undefined
  readonly wanting: ReadonlySet<Directory>
}

/**
 * Reads the definitions that directories of a branch have for the kinds that others of the same cluster use.
 * @throws InvalidInputError if they have more than 16 MiB
 */
export async function readBranchDefinitions(
  context: Pick<RunContext, 'known' | 'commitServer'>,
  wanted: WantedDefinitions,
  signal: AbortSignal,
): Promise<BranchDefinitions> {
  const { run, outcome, made, wanting } = wanted
  const { headSha } = outcome.position
  const sameAs = run.before ? knownHeadOf(run.before) : ''
  const held = await context.known.objects(run.key, headSha, sameAs)
  const areKnown = held !== undefined || headSha === ''
  const textOf = (path: string) => made?.objects.get(path) ?? held?.get(path) ?? ''
  const defining = Array.from(run.byPath, ([, directory]) => {
    return { directory, path: directory.path, groups: definedGroups(textOf(directory.path)) }
  }).filter(({ groups }) => groups.size > 0)
  if (defining.length === 0) return { of: () => undefined, areKnown }
  const isDefinedBy = definitionRule(run)
  const allGroups = new Set(defining.flatMap(({ groups }) => [...groups]))
  const users = Array.from(wanting, (directory) => {
    const kinds = usedKinds(textOf(directory.path), allGroups)
    const used = new Set([...kinds].map((kind) => kind.slice(0, kind.indexOf('/'))))
    const others = defining.filter(
      (one) => !one.groups.isDisjointFrom(used) && isDefinedBy(directory, one.directory),
    )
    return { directory, kinds, others }
  }).filter(({ others }) => others.length > 0)
  const paths = new Set(users.flatMap(({ others }) => others.map(({ path }) => path)))
  const byPath = await readDefinitions(context, wanted, [...paths], signal)
  requireModest([...byPath.values()].flat(), run.branch)
  const found = users.map(({ directory, kinds, others }) => {
    const all = others.toSorted((one, other) => (one.path < other.path ? -1 : 1))
    const definitions = all
      .flatMap(({ path }) => byPath.get(path) ?? [])
      .filter(({ group, kind }) => kinds.has(`${group}/${kind}`))
    return [directory, { id: chosenDefinitions(definitions).id, definitions }] as const
  })
  const ofDirectories = new Map(found.filter(([, { definitions }]) => definitions.length > 0))
  return { of: (directory) => ofDirectories.get(directory), areKnown }
}

async function readDefinitions(
  { known, commitServer }: Pick<RunContext, 'known' | 'commitServer'>,
  { run, outcome, made }: WantedDefinitions,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly BranchDefinition[]>> {
  const { repoUrl, project } = run
  const revision = outcome.position.headSha
  const read = new Map<string, readonly BranchDefinition[]>()
  const unread: string[] = []
  for (const path of paths) {
    const definitions = made?.objects.has(path)
      ? (made.definitions.get(path) ?? [])
      : known.definitions(run.key, path, outcome.known?.get(path))
    if (definitions) read.set(path, definitions)
    else unread.push(path)
  }
  const directoryAt = heldDirectories({ commitServer }, { repoUrl, project, revision }, unread, signal)
  for (const path of unread) {
    const { manifest = '' } = (await directoryAt(path)) ?? {}
    const limits = { maxBytes: maxManifestBytes }
    const definitions = definitionsAmong(parseManifests(manifest, { file: path, limits }), path)
    read.set(path, definitions)
    known.recordDefinitions(run.key, path, outcome.known?.get(path), definitions)
  }
  return read
}

function requireModest(definitions: readonly BranchDefinition[], branch: string): void {
  const length = definitions.reduce((sum, { text }) => sum + text.length, 0)
  if (length <= maxDefinitionLength) return
  throw new InvalidInputError(
    `the CustomResourceDefinitions of branch ${branch} have ${length} characters, more than ${maxDefinitionLength}, by which the gate schemas cannot check; hydrate them to another branch`,
  )
}

/**
 * Returns whether the definitions of one directory are for another: of the same cluster, and from the same dry source or of the same project, so
 * that nobody denies objects of a team that trusts neither.
 */
function definitionRule({ directories }: ValidatedInProgress['run']) {
  const sources = new Map<string, ObservedGroup>()
  for (const [group, some] of directories) for (const { path } of some) sources.set(path, group)
  return (user: Directory, definer: Directory): boolean => {
    const source = sources.get(user.path)
    const isOfSource = source !== undefined && source === sources.get(definer.path)
    return (
      user.path !== definer.path &&
      definer.members.some(({ application: one }) =>
        user.members.some(
          ({ application: other }) =>
            clusterOf(one) === clusterOf(other) && (isOfSource || one.project === other.project),
        ),
      )
    )
  }
}
