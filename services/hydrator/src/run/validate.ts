import { errorMessage, InvalidInputError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import { assertBranchName } from '@wadi/git/mirror/revision.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { foldersOf } from '@wadi/hydration/files-folder.ts'
import { cleanDestinationPath, foldedPath } from '@wadi/resources/application/destination-path.ts'
import { type Cluster, readClusters } from '@wadi/resources/cluster-secret.ts'
import type { AppProject } from '@wadi/resources/project/app-project.ts'
import { readProject, requireProjectPermits } from '@wadi/resources/project/project-permission.ts'
import type { Member } from '../applications/application-index.ts'
import { branchIsAllowed } from '../operator-settings.ts'
import type { Directory, ObservedRun, ValidatedRun } from './branch-run.ts'
import type { RunContext } from './run-context.ts'
import type { RunInProgress } from './run-outcome.ts'

/**
 * Checks every member before anything is rendered: the rules for its object, the project's rights on both repositories and the destination, the
 * operator's branch pattern, the path rules and that no two members claim one path with different sources. An invalid
 * member fails its group; the others get their directories.
 */
export async function validate(context: RunContext, { run, outcome }: RunInProgress): Promise<ValidatedRun> {
  const projects = new ProjectReader(context)
  const errors = new Map<Member, string>()
  const paths = new Map<Member, string>()
  // What an invalid member has on the branch stays claimed, or a withdrawn right would prune what is deployed.
  const claimed = new Set<string>()
  for (const member of run.groups.flatMap((group) => group.members)) {
    try {
      const path = cleanDestinationPath(member.spec.syncSource.path)
      claimed.add(path)
      if (member.error !== '') throw new InvalidInputError(member.error)
      checkBranch({ run, outcome }, member)
      requireProjectPermits(
        await projects.read(member.application.project),
        member.application,
        await projects.clusters(),
      )
      paths.set(member, path)
    } catch (error) {
      if (!(error instanceof InvalidInputError || error instanceof PermissionDeniedError)) throw error
      errors.set(member, errorMessage(error))
    }
  }
  for (const [member, error] of pathConflicts(run, paths)) if (!errors.has(member)) errors.set(member, error)
  for (const group of run.groups) {
    const failures = group.members.flatMap((member) => {
      const message = errors.get(member)
      return message === undefined ? [] : [{ application: member.name, message }]
    })
    if (failures.length > 0) outcome.failures.getOrInsert(group, { message: '', failures })
  }
  const directories = new Map(run.groups.map((group) => [group, directoriesOf(group.members, paths)]))
  return { ...run, directories, claimed }
}

function checkBranch({ run, outcome }: RunInProgress, member: Member): void {
  assertBranchName(run.branch)
  assertBranchName(member.spec.syncSource.targetBranch)
  if (!branchIsAllowed(run.settings, run.branch)) {
    throw new InvalidInputError(
      `hydrated branch ${run.branch} does not match ${run.settings.branchPattern}, the pattern that the operator set ` +
        'in argocd-cm sourceHydrator.branchPattern',
    )
  }
  const { drySource, syncSource } = member.spec
  const sameRepository =
    normalizeRepositoryUrl(syncSource.repoURL ?? drySource.repoURL) ===
    normalizeRepositoryUrl(drySource.repoURL)
  const namesBranch = drySource.targetRevision.replace(/^refs\/heads\//u, '') === run.branch
  // `HEAD` and tags do not name their branch, but a branch whose head is the dry commit is not a hydrated one.
  const isDryCommit = run.groups.some(
    (group) => group.drySha !== '' && group.drySha === outcome.position.headSha,
  )
  if (sameRepository && (namesBranch || isDryCommit)) {
    throw new InvalidInputError(`branch ${run.branch} is the dry source itself; hydrate to another branch`)
  }
}

/** The message for each member whose path another member claims too, or that has the root beside others. */
function* pathConflicts(run: ObservedRun, paths: ReadonlyMap<Member, string>): Generator<[Member, string]> {
  const claims = Map.groupBy(paths.keys(), (member) => paths.get(member) ?? '')
  const rootOwners = claims.get('') ?? []
  const others = [...paths.keys()].filter((member) => paths.get(member) !== '')
  for (const member of others.length > 0 ? rootOwners : []) {
    yield [
      member,
      `syncSource.path ${JSON.stringify(member.spec.syncSource.path)} is the root of branch ${run.branch}, which also ` +
        `holds ${nameSome(others)}; give each application a directory of its own`,
    ]
  }
  yield* foldedConflicts(run, paths)
  for (const [path, sharing] of claims) {
    if (sharing.length < 2) continue
    const bySource = Map.groupBy(sharing, drySourceIdentity)
    if (bySource.size < 2) continue
    for (const member of sharing) {
      const rivals = sharing.filter((other) => drySourceIdentity(other) !== drySourceIdentity(member))
      yield [
        member,
        `path ${path || '.'} of branch ${run.branch} is also claimed by ${nameSome(rivals)} with another dry source; ` +
          'give each a path of its own',
      ]
    }
  }
}

/** The message for each member one of whose directories some file system takes for a neighbour's of another spelling. */
function* foldedConflicts(run: ObservedRun, paths: ReadonlyMap<Member, string>): Generator<[Member, string]> {
  const spellings = new Map<string, { spelling: string; owner: Member }>()
  for (const [member, path] of paths) {
    for (const folder of [...foldersOf(path), path]) {
      const known = spellings.getOrInsert(foldedPath(folder), { spelling: folder, owner: member })
      if (known.spelling === folder) continue
      const both = [known.owner, member]
      for (const one of both) {
        const rival = nameSome(both.filter((other) => other !== one))
        yield [
          one,
          `directories ${JSON.stringify(known.spelling)} and ${JSON.stringify(folder)} of branch ${run.branch} are one ` +
            `where file systems ignore case or the form of accents; rename one, here or in ${rival}`,
        ]
      }
    }
  }
}

function drySourceIdentity(member: Member): string {
  return canonicalJson([member.spec.drySource, member.application.destination.namespace ?? ''])
}

/** Names the first of some members. */
export function nameSome(members: readonly Member[]): string {
  return someInLine(
    members.map((member) => `application ${member.name}`),
    3,
  )
}

function directoriesOf(members: readonly Member[], paths: ReadonlyMap<Member, string>): Directory[] {
  const directories = new Map<string, Directory>()
  for (const member of members) {
    const path = paths.get(member)
    if (path === undefined) continue
    const directory = directories.get(path)
    if (directory) directory.members.push(member)
    else directories.set(path, { path, members: [member] })
  }
  return [...directories.values()]
}

/** Reads each project, and the clusters, once a run. */
class ProjectReader {
  #context: RunContext
  #projects = new Map<string, AppProject>()
  #clusters: Promise<readonly Cluster[]> | undefined

  constructor(context: RunContext) {
    this.#context = context
  }

  clusters(): Promise<readonly Cluster[]> {
    this.#clusters ??= readClusters(this.#context.store)
    return this.#clusters
  }

  async read(name: string): Promise<AppProject> {
    const known = this.#projects.get(name)
    if (known) return known
    const project = await readProject(this.#context.store, name)
    this.#projects.set(name, project)
    return project
  }
}
