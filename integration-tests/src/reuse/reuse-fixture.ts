import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Mesh, startMesh } from '@wadi/mesh/mesh.ts'
import { applicationObject } from '../application-fixture.ts'
import {
  type ApplicationState,
  connectGateway,
  type GatewayClient,
  waitForApplication,
} from '../gateway-fixture.ts'
import { makeDataDirectory, makeTestDirectory } from '../hydration-fixture.ts'
import { gitUser, quietEnvironment, startListenedGitServer } from '../mesh-fixture.ts'
import { RepositoryFixture } from '../repository-fixture.ts'
import { type EditedApplication, EditedRepository } from './edited-repository-fixture.ts'

/** A mesh and what asks it. */
interface Running extends AsyncDisposable {
  readonly gateway: GatewayClient
}

/** The phase and message of each Application. */
type Outcomes = Record<string, string>

const branch = 'environments/kept'

/** Operator's settings by which the directories of deleted Applications go, so that the past leaves nothing on the branch. */
const pruning = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cm' },
  data: { 'sourceHydrator.prune': 'true' },
}

/**
 * Edits a repository at random and hydrates each state twice: by a mesh that lives through all rounds, with all that it knows, and by a new
 * one that knows nothing. Both must come to the same.
 */
export async function compareReuse(
  seed: number,
  rounds: number,
  report: (line: string) => void = () => undefined,
): Promise<void> {
  await using owned = new AsyncDisposableStack()
  const directory = await makeTestDirectory(owned)
  const { server } = await startListenedGitServer()
  owned.use(server)
  const served = await server.createRepository('edited.git')
  const repository = await RepositoryFixture.open(served, join(directory, 'copy'))
  // Equal commits of two installations would share their notes in one repository.
  const apart = await RepositoryFixture.open(
    await server.createRepository('apart.git'),
    join(directory, 'apart'),
  )
  const edited = new EditedRepository(seed)
  const pushed: { sha: string; files: Map<string, string> }[] = []
  const data = await makeDataDirectory(directory)
  let kept = await startRunning(data, server.url)
  owned.defer(async () => kept[Symbol.asyncDispose]())
  const known = new Set<string>()
  for (let round = 1; round <= rounds; round++) {
    const steps = round === 1 ? [] : await nextSteps(edited, repository, pushed)
    const sha = await pushFiles(repository, edited, { before: pushed.at(-1)?.files ?? new Map(), round })
    pushed.push({ sha, files: new Map(edited.files) })
    if (edited.random.chance(0.15)) {
      steps.push('restart')
      await kept[Symbol.asyncDispose]()
      kept = await startRunning(data, server.url)
    }
    const label = `seed ${seed}, round ${round}: ${steps.join(', ')}`
    report(label)
    const withReuse = await hydrate(kept, { repository, edited, sha, known })
    const withoutReuse = await hydrateAnew(server.url, {
      repository,
      edited,
      sha,
      destination: apart.url,
    })
    assert.deepEqual(withReuse, withoutReuse, label)
    if (Object.values(withReuse).every((outcome) => outcome.startsWith('Hydrated'))) {
      await assertSameFiles(repository, apart, label)
    }
    await apart.pointBranch(branch, undefined)
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

async function pushFiles(
  repository: RepositoryFixture,
  { files }: EditedRepository,
  { before, round }: { before: ReadonlyMap<string, string>; round: number },
): Promise<string> {
  const changed = [...files].filter(([path, text]) => before.get(path) !== text)
  const removed = [...before.keys()]
    .filter((path) => !files.has(path))
    .map((path) => [path, undefined] as const)
  // Each round is a commit of its own, also without another change.
  const marker = ['round.txt', `${round}\n`] as const
  return repository.push(Object.fromEntries([...changed, ...removed, marker]))
}

async function startRunning(dataDirectory: string, gitUrl: string): Promise<Running> {
  const mesh: Mesh = await startMesh({ dataDirectory, listen: '127.0.0.1:0', environment: quietEnvironment })
  const gateway = connectGateway(mesh.address, mesh.adminToken)
  for (const write of [false, true]) {
    const credentials = {
      repoUrl: gitUrl,
      isPrefix: true,
      ...gitUser,
      write,
      skipValidation: true,
      upsert: true,
    }
    await gateway.repositories.createRepository(credentials)
  }
  await gateway.resources.applyResource({ resource: pruning })
  return {
    gateway,
    [Symbol.asyncDispose]: async () => {
      gateway[Symbol.dispose]()
      await mesh[Symbol.asyncDispose]()
    },
  }
}

interface Wanted {
  readonly repository: RepositoryFixture
  readonly edited: EditedRepository
  readonly sha: string
  /** Another repository for the hydrated branch. */
  readonly destination?: string
  /** The Applications that the mesh has. */
  readonly known: Set<string>
}

async function hydrateAnew(gitUrl: string, wanted: Omit<Wanted, 'known'>): Promise<Outcomes> {
  await using owned = new AsyncDisposableStack()
  const data = await makeDataDirectory(await makeTestDirectory(owned))
  const running = owned.use(await startRunning(data, gitUrl))
  return await hydrate(running, { ...wanted, known: new Set() })
}

async function hydrate({ gateway }: Running, wanted: Wanted): Promise<Outcomes> {
  const { repository, edited, sha, known } = wanted
  for (const name of known) {
    if (edited.applications.has(name)) continue
    known.delete(name)
    await gateway.applications.deleteApplication({ name })
  }
  for (const application of edited.applications.values()) {
    await gateway.resources.applyResource({
      resource: resourceOf(application, repository.url, wanted),
    })
    known.add(application.name)
  }
  const names = [...edited.applications.keys()].toSorted()
  // All are of one branch, so the run of one hydrates all.
  await gateway.applications.hydrateApplication({ name: names[0] ?? '' })
  const outcomes: Outcomes = {}
  for (const name of names) {
    const { currentOperation } = await waitForApplication(gateway, name, (state) => hasEnded(state, sha))
    outcomes[name] = `${currentOperation?.phase ?? ''} ${currentOperation?.message ?? ''}`
      .replaceAll(branch, 'BRANCH')
      .replaceAll(/\b[0-9a-f]{7,40}\b/g, 'SHA')
  }
  return outcomes
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
