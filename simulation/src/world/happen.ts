import { hydrateAnnotation } from '@wadi/resources/application/hydration-request.ts'
import type { ForgeCheck } from '../checks/check-forge.ts'
import type { Ledger } from '../checks/ledger.ts'
import type { Beyond, Mesh } from '../mesh/mesh.ts'
import { brokenValue, valueFile } from '../mesh/repo-server-model.ts'
import type { ClusterServer } from '../models/cluster/cluster-server.ts'
import type { Random } from '../virtual/random.ts'
import type { Scheduler } from '../virtual/scheduler.ts'
import type { VirtualDisk } from '../virtual/virtual-disk.ts'
import { happenToCluster } from './cluster-happenings.ts'
import { applicationObject, settingsObject } from './objects.ts'
import { happenToForge } from './happen-to-forge.ts'
import type { Happening } from './happening.ts'
import type { Weather } from './weather.ts'

/** The parts of a world that happenings change. */
export interface Stage {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly weather: Weather
  readonly beyond: Beyond
  readonly mesh: Mesh
  readonly ledger: Ledger
  readonly forgeCheck: ForgeCheck
  readonly disk: VirtualDisk
  /** The API server; undefined where a file keeps the objects. */
  readonly cluster: ClusterServer | undefined
  /** Starts a process again after a time. */
  readonly restartAfter: (name: string, milliseconds: number) => void
  /** Does something to a process after some more of its steps. */
  readonly afterSteps: (name: string, steps: number, act: () => void) => void
}

type Of<Kind extends Happening['kind']> = Extract<Happening, { kind: Kind }>

/** Lets something happen. */
export function happen(stage: Stage, happening: Happening): void {
  const { scheduler, weather, beyond, ledger } = stage
  switch (happening.kind) {
    case 'dry commit':
      return commitDry(stage, happening)
    case 'crash':
    case 'freeze':
    case 'clock':
    case 'slow disk':
      return happenToProcess(stage, happening)
    case 'flush':
      return beyond.redis.flush()
    case 'failover':
      return beyond.redis.failOver()
    case 'lost locks':
      return stage.afterSteps(happening.process, happening.afterSteps, () => beyond.redis.loseLocks())
    case 'refused login':
      beyond.git.refusesLogin = true
      return later(stage, happening, () => (beyond.git.refusesLogin = false))
    case 'losses':
      return weather.lose(happening.rate, happening.milliseconds)
    case 'spoiled renders':
      return weather.spoilRenders(happening.rate, happening.milliseconds)
    case 'partition':
      return weather.part(happening.one, happening.other, happening.milliseconds)
    case 'protect':
      beyond.git.protectedRefs.add(`refs/heads/${happening.branch}`)
      return later(stage, happening, () => beyond.git.protectedRefs.delete(`refs/heads/${happening.branch}`))
    case 'foreign file':
    case 'foreign edit':
      return changeBranch(stage, happening)
    case 'rewind':
    case 'delete branch':
      return forceBranch(stage, happening)
    case 'hard':
      return patchApplication(stage, happening, { annotations: { [hydrateAnnotation]: 'hard' } })
    case 'label':
      return patchApplication(stage, happening, { labels: { seen: `at-${scheduler.steps}` } })
    case 'policy':
      return setPolicy(stage, happening)
    case 'replace application':
      ledger.mayRepeat.add(ledger.branchOf(happening.application))
      ledger.unsettled.add(happening.application)
      return replaceApplication(stage, happening)
    case 'failing forge':
    case 'limited forge':
    case 'pull request':
      return happenToForge(stage, happening)
    default:
      if (stage.cluster) happenToCluster(stage.cluster, scheduler, stage.random, happening)
  }
}

function happenToProcess(
  { scheduler, mesh, disk, afterSteps, restartAfter }: Stage,
  happening: Of<'crash' | 'freeze' | 'clock' | 'slow disk'>,
): void {
  const { process } = happening
  const actor = mesh.actor(process)
  switch (happening.kind) {
    case 'crash':
      return afterSteps(process, happening.afterSteps, () => {
        mesh.kill(process)
        restartAfter(process, happening.downMs)
      })
    case 'freeze':
      return afterSteps(process, happening.afterSteps, () => {
        const frozen = mesh.actor(process)
        if (frozen) frozen.frozenUntil = scheduler.now + happening.milliseconds
      })
    case 'clock':
      if (actor) actor.clockOffset += happening.milliseconds
      return undefined
    case 'slow disk':
      return disk.slowDown(`/data/${process}/`, scheduler.now + happening.milliseconds)
  }
}

/** Ends what lasts a while. */
function later(
  { scheduler, beyond }: Stage,
  { kind, milliseconds }: { readonly kind: string; readonly milliseconds: number },
  end: () => unknown,
): void {
  scheduler.after(milliseconds, beyond.actors.git, `${kind} is over`, end)
}

function setPolicy({ beyond: { store }, ledger: { lineage } }: Stage, happening: Of<'policy'>): void {
  const { metadata, ...settings } = settingsObject({ lineage, foreignChanges: happening.foreignChanges })
  const stored = store.get('ConfigMap', 'argocd', metadata.name)
  if (stored) store.patch(stored, settings)
}

function commitDry({ scheduler, beyond: { git }, mesh, ledger }: Stage, happening: Of<'dry commit'>): void {
  const { changes, isAnnounced, isBroken, isRevert = false } = happening
  const rank = ledger.rank.size
  const [first] = changes
  const before = isRevert ? [...ledger.rank.keys()].at(-2) : undefined
  const formerValue = (name: string): string | undefined => {
    const value = before === undefined ? undefined : ledger.valueAt(before, name)
    return value === brokenValue ? undefined : value
  }
  const valueOf = (name: string): string =>
    isBroken && name === first ? brokenValue : (formerValue(name) ?? `value ${rank}`)
  const files = changes.map((name) => [`apps/${name}/${valueFile}`, valueOf(name)])
  const always = [['README.md', `commit ${rank}`]]
  const sha = git.commit(git.refs.get('refs/heads/main'), Object.fromEntries([...always, ...files]), {
    message: `Dry commit ${rank}`,
    seconds: Math.floor(scheduler.wallClock / 1000),
  })
  ledger.dryCommit(sha)
  git.move('refs/heads/main', sha)
  if (isAnnounced) mesh.announce('main', sha)
}

function changeBranch(
  { scheduler, beyond: { git }, ledger }: Stage,
  happening: Of<'foreign file' | 'foreign edit'>,
): void {
  const { branch } = happening
  const head = git.refs.get(`refs/heads/${branch}`)
  if (head === undefined) return
  const seconds = Math.floor(scheduler.wallClock / 1000)
  const isFile = happening.kind === 'foreign file'
  const path = isFile ? happening.file : `${happening.application}/manifest.yaml`
  const sha = git.commit(
    head,
    { [path]: `by somebody at ${scheduler.now}\n` },
    { message: 'By hand', seconds },
  )
  if (isFile) {
    const foreign = ledger.foreign.get(branch) ?? new Map<string, string>()
    ledger.foreign.set(branch, foreign.set(path, git.objects.commit(sha).files.get(path)?.id ?? ''))
  } else {
    ledger.unsettled.add(happening.application)
    ledger.mayRepeat.add(branch)
  }
  git.move(`refs/heads/${branch}`, sha)
}

function forceBranch(
  { random, beyond: { git }, ledger }: Stage,
  { kind, branch }: Of<'rewind' | 'delete branch'>,
): void {
  const head = git.refs.get(`refs/heads/${branch}`)
  if (head === undefined) return
  const [, ...before] = git.objects.firstParents(head)
  const [newest, ...others] = before
  if (kind === 'rewind' && newest === undefined) return
  ledger.mayRepeat.add(branch)
  const to = kind === 'rewind' && newest !== undefined ? random.of([newest, ...others]) : undefined
  git.move(`refs/heads/${branch}`, to)
}

function patchApplication(
  { beyond: { store } }: Stage,
  { application }: { readonly application: string },
  metadata: object,
): void {
  const stored = store.get('Application', 'argocd', application)
  if (stored) store.patch(stored, { metadata })
}

function replaceApplication(
  { scheduler, beyond, ledger }: Stage,
  { application }: Of<'replace application'>,
): void {
  const planned = ledger.applications.find(({ name }) => name === application)
  const stored = beyond.store.get('Application', 'argocd', application)
  if (!planned || !stored) return
  beyond.store.delete(stored)
  scheduler.after(2_000, beyond.actors.store, `somebody creates ${application}`, () => {
    beyond.store.create(applicationObject(planned))
  })
}
