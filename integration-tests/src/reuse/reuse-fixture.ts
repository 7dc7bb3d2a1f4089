import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { applicationObject } from '../application-fixture.ts'
import { type ApplicationState, type GatewayClient, waitForApplication } from '../gateway-fixture.ts'
import { makeTestDirectory } from '../hydration-fixture.ts'
import { notifyOfPush } from '../application-sets/webhook-fixture.ts'
import { startListenedGitServer } from '../mesh-fixture.ts'
import { RepositoryFixture } from '../repository-fixture.ts'
import { compareRevisions, objectsOf } from '../review-fixture.ts'
import { type EditedApplication, EditedRepository } from './edited-repository-fixture.ts'
import { type Running, startPairedMesh, startRestartedMesh, toolsOfTests } from './running-mesh-fixture.ts'

/** The phase and message of each Application. */
type Outcomes = Record<string, string>

const branch = 'environments/kept'

/**
 * Edits a repository at random. Each state is hydrated, and some are compared before, by a mesh that lives through all rounds with all that it
 * knows, by one without reuse, and the last by one that is new. All must come to the same.
 * @param hydrators the number of hydrators of the first mesh, which take turns at random; two need Redis
 */
export async function compareReuse(
  seed: number,
  rounds: number,
  hydrators: 1 | 2,
  report: (line: string) => void = () => undefined,
): Promise<void> {
  await using owned = new AsyncDisposableStack()
  const directory = await makeTestDirectory(owned)
  const { server } = await startListenedGitServer()
  owned.use(server)
  const open = async (name: string) =>
    RepositoryFixture.open(await server.createRepository(`${name}.git`), join(directory, name))
  // Equal commits of several installations would share their notes in one repository.
  const [repository, apart, fresh] = [await open('edited'), await open('apart'), await open('fresh')]
  const edited = new EditedRepository(seed)
  const pushed: { sha: string; files: Map<string, string> }[] = []
  const { environment } = owned.use(toolsOfTests())
  const openMesh = hydrators === 1 ? startRestartedMesh : startPairedMesh
  const kept = owned.use(await openMesh(server.url, environment))
  const openOff = () => startRestartedMesh(server.url, { ...environment, WADI_REUSE: 'off' })
  const without = {
    running: owned.use(await openOff()),
    known: new Map<string, string>(),
    destination: apart.url,
  }
  const known = new Map<string, string>()
  for (let round = 1; round <= rounds; round++) {
    const steps = round === 1 ? [] : await nextSteps(edited, repository, pushed)
    // The branch keeps versions that were named before, which a new one does not know.
    if (round === rounds && !edited.files.has('wadi.yaml')) steps.push(edited.pinTools())
    const changes = changedFiles(edited, { before: pushed.at(-1)?.files ?? new Map(), round })
    if (edited.random.chance(0.15)) {
      steps.push('restart')
      await kept.restart()
    }
    const isReviewed = round > 1 && edited.random.chance(0.4)
    const label = `seed ${seed}, round ${round}: ${steps.join(', ')}${isReviewed ? ', reviewed' : ''}`
    report(label)
    if (isReviewed) {
      await proposeFiles(repository, changes)
      const request = { repoUrl: repository.url, revision: 'proposal' }
      assert.deepEqual(await review(kept, request), await review(without.running, request), label)
    }
    const sha = await repository.push(changes)
    pushed.push({ sha, files: new Map(edited.files) })
    const wanted = { repository, edited, sha }
    await hydrate(kept, { ...wanted, known })
    const outcomes = await hydrate(without.running, { ...wanted, ...without })
    await assertOutcomes(kept, { edited, sha, outcomes }, label)
    const others = [apart]
    if (round === rounds) {
      await using newest = await openOff()
      const ofFresh = await hydrate(newest, { ...wanted, known: new Map(), destination: fresh.url })
      assert.deepEqual(outcomes, ofFresh, label)
      others.push(fresh)
    }
    if (!Object.values(outcomes).every((outcome) => outcome.startsWith('Hydrated'))) continue
    for (const other of others) await assertSameFiles(repository, other, label)
  }
}

/** Edits, or goes back to an earlier commit as a person does with a forced push. */
async function nextSteps(
  edited: EditedRepository,
  repository: RepositoryFixture,
  pushed: { sha: string; files: Map<string, string> }[],
): Promise<string[]> {
  const earlier = pushed.at(-edited.random.integer(2, 4))
  if (earlier === undefined || !edited.random.chance(0.1)) return edited.edit()
  await repository.dry.git.raw(['reset', '--quiet', '--hard', earlier.sha])
  edited.files = new Map(earlier.files)
  edited.dropLost()
  pushed.push(earlier)
  return ['force an earlier commit', ...edited.edit()]
}

/** Returns the files of a round's commit; undefined for those that are gone. */
function changedFiles(
  { files }: EditedRepository,
  { before, round }: { before: ReadonlyMap<string, string>; round: number },
): Record<string, string | undefined> {
  const changed = [...files].filter(([path, text]) => before.get(path) !== text)
  const removed = [...before.keys()]
    .filter((path) => !files.has(path))
    .map((path) => [path, undefined] as const)
  // Each round is a commit of its own, also without another change.
  const marker = ['round.txt', `${round}\n`] as const
  return Object.fromEntries([...changed, ...removed, marker])
}

/** Pushes a commit to `proposal` that has files changed, on top of the next parent of `main`. */
async function proposeFiles(
  repository: RepositoryFixture,
  files: Record<string, string | undefined>,
): Promise<void> {
  await repository.pointRef(
    'refs/heads/proposal',
    await repository.dry.commitFiles(files, 'Propose a change'),
  )
  await repository.dry.git.raw(['reset', '--quiet', '--hard', 'HEAD~1'])
}

/** The changes that a revision would make, by Application. */
async function review(
  { gateway }: Running,
  request: Parameters<typeof compareRevisions>[1],
): Promise<Record<string, unknown>> {
  const { applications } = await compareRevisions(gateway, request)
  const found = [...applications].map(([name, changes]) => {
    const { outcome, warnings, errors } = changes
    return [name, { outcome, errors: errors.map(withoutIds), warnings, objects: objectsOf(changes) }] as const
  })
  return Object.fromEntries(found)
}

interface Wanted {
  readonly repository: RepositoryFixture
  readonly edited: EditedRepository
  readonly sha: string
  /** Another repository for the hydrated branch. */
  readonly destination?: string
  /** The Applications that the mesh has, as JSON by name. */
  readonly known: Map<string, string>
}

/** Makes the Applications of a mesh those that are wanted, and waits until they are hydrated at a commit. */
async function hydrate({ address, gateway }: Running, wanted: Wanted): Promise<Outcomes> {
  const { repository, edited, sha, known } = wanted
  const gone = [...known.keys()].filter((name) => !edited.applications.has(name))
  for (const name of gone) {
    known.delete(name)
    await gateway.applications.deleteApplication({ name })
  }
  let isAsBefore = gone.length === 0
  for (const application of edited.applications.values()) {
    const resource = resourceOf(application, repository.url, wanted)
    const text = JSON.stringify(resource)
    if (known.get(application.name) === text) continue
    isAsBefore = false
    known.set(application.name, text)
    await gateway.resources.applyResource({ resource })
  }
  const names = [...edited.applications.keys()].toSorted()
  // A push leaves the Applications as they are, so most is known. All are of one branch, so the run of one hydrates all.
  if (isAsBefore) await notifyOfPush(address, repository.url)
  else await gateway.applications.hydrateApplication({ name: names[0] ?? '' })
  return outcomesOf(gateway, names, sha)
}

async function outcomesOf(gateway: GatewayClient, names: readonly string[], sha: string): Promise<Outcomes> {
  const outcomes: Outcomes = {}
  for (const name of names) {
    const { currentOperation } = await waitForApplication(gateway, name, (state) => hasEnded(state, sha))
    outcomes[name] = withoutIds(`${currentOperation?.phase ?? ''} ${currentOperation?.message ?? ''}`)
  }
  return outcomes
}

/** Waits until a mesh has the outcomes of another: a hydrator that has not seen yet that an Application is gone runs once with it. */
async function assertOutcomes(
  { gateway }: Running,
  { edited, sha, outcomes }: { edited: EditedRepository; sha: string; outcomes: Outcomes },
  label: string,
): Promise<void> {
  const names = [...edited.applications.keys()].toSorted()
  const isSame = async () => isDeepStrictEqual(await outcomesOf(gateway, names, sha), outcomes)
  for (let tries = 0; tries < 60 && !(await isSame()); tries++) await setTimeout(500)
  assert.deepEqual(await outcomesOf(gateway, names, sha), outcomes, label)
}

function withoutIds(text: string): string {
  return text.replaceAll(branch, 'BRANCH').replaceAll(/\b[0-9a-f]{7,40}\b/g, 'SHA')
}

function resourceOf(
  { name, path, syncPath, source }: EditedApplication,
  repoURL: string,
  { destination }: Pick<Wanted, 'destination'>,
) {
  const application = { name, path, syncPath, source, repoURL, branch }
  return applicationObject({ ...application, ...(destination !== undefined && { destination }) })
}

function hasEnded({ request, status: { currentOperation } }: ApplicationState, sha: string): boolean {
  const { phase = 'Hydrating', drySHA } = currentOperation ?? {}
  return request === '' && phase !== 'Hydrating' && drySHA === sha
}

/** Waits until both branches have the same files: the directory of a deleted Application goes with a run of its own. */
async function assertSameFiles(
  repository: RepositoryFixture,
  apart: RepositoryFixture,
  label: string,
): Promise<void> {
  const wanted = await filesOf(apart)
  const isSame = async () => isDeepStrictEqual(await filesOf(repository), wanted)
  for (let tries = 0; tries < 120 && !(await isSame()); tries++) await setTimeout(500)
  assert.deepEqual(await filesOf(repository), wanted, label)
}

/** The files of the branch; what names a dry commit is left out, as only changed directories are written again. */
async function filesOf(repository: RepositoryFixture): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const path of await repository.files(branch)) {
    files[path] = /README\.md$|hydrator\.metadata$/.test(path) ? '' : await repository.read(branch, path)
  }
  return files
}
