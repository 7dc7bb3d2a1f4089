import { setTimeout as pause } from 'node:timers/promises'
import { reconcileSet } from '@wadi/appset-service/reconcile/reconcile-set.ts'
import { startReconciler } from '@wadi/appset-service/reconcile/reconciler.ts'
import { type ApplicationSetsBed, openApplicationSetsBed } from '../application-sets-bed.ts'
import type { Effort } from '../effort.ts'
import { atMost, information, type Measurement } from '../measurement.ts'

const standardApplications = 1_000
const standardRounds = 11
const againBar = 1 / 20
const sets = 100
const intervalSeconds = 3
const intervals = 3

/**
 * Generates the Applications of one set for the first time and again with nothing changed, and counts how often many
 * sets of one repository ask it.
 */
export async function measureApplicationSets(directory: string, effort: Effort): Promise<Measurement[]> {
  const applications = effort.applications(standardApplications)
  const rounds = effort.rounds(standardRounds)
  await using bed = await openApplicationSetsBed(directory, applications)
  return [...(await measurePasses(bed, applications, rounds)), await measureQuestions(bed)]
}

async function medianOf(rounds: number, measure: () => Promise<number>): Promise<number> {
  const values: number[] = []
  for (let round = 0; round < rounds; round++) values.push(await measure())
  return values.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Infinity
}

async function measurePasses(
  bed: ApplicationSetsBed,
  applications: number,
  rounds: number,
): Promise<Measurement[]> {
  const { context } = bed
  await bed.storeSet('all', 'all', 3_600)
  const pass = async (): Promise<number> => {
    const { signal } = new AbortController()
    const started = performance.now()
    const ended = await reconcileSet(context, { namespace: 'argocd', name: 'all' }, signal)
    if (!ended || ended.error !== undefined)
      throw new Error('the set was not reconciled', { cause: ended?.error })
    return (performance.now() - started) / 1000
  }
  const latestVersion = async () => Number((await context.store.list('ApplicationSet')).resourceVersion)
  const before = await latestVersion()
  const first = await pass()
  const written = (await latestVersion()) - before
  const again = await medianOf(rounds, pass)
  const questionsBefore = bed.refQuestions()
  const askingAgain = await medianOf(rounds, () => {
    context.inputCache.repositoryChanged(bed.repository)
    return pass()
  })
  const asked = bed.refQuestions() - questionsBefore
  const others = (await latestVersion()) - before - written
  const basis = `${first.toFixed(3)} s; again, median of ${rounds}: ${again.toFixed(4)} s`
  return [
    atMost(
      `application-sets, again to first, ${applications} applications`,
      again / first,
      '×',
      againBar,
      basis,
    ),
    atMost(
      'application-sets, writes with nothing changed',
      others,
      'writes',
      0,
      `first pass: ${written} writes`,
    ),
    information(
      'application-sets, again to first, asking the remote each time',
      askingAgain / first,
      '×',
      `median of ${rounds}: ${askingAgain.toFixed(4)} s, of which git takes most`,
    ),
    information('application-sets, ls-remotes of those passes', asked, 'ls-remotes', `${rounds} passes`),
  ]
}

/** Follows many sets of one repository over some intervals. */
async function measureQuestions(bed: ApplicationSetsBed): Promise<Measurement> {
  for (let number = 0; number < sets; number++) await bed.storeSet(`set-${number}`, 'one', intervalSeconds)
  await using _ = startReconciler(bed.context, { quietMs: 20 })
  await allReported(bed)
  const before = bed.refQuestions()
  await pause(intervals * intervalSeconds * 1000)
  const asked = bed.refQuestions() - before
  const basis = `${asked} in ${intervals} intervals of ${intervalSeconds} s`
  // One interval more may have begun than ended.
  return atMost(`application-sets, ls-remotes of ${sets} sets`, asked, 'ls-remotes', intervals + 1, basis)
}

async function allReported({ context }: ApplicationSetsBed): Promise<void> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const { items } = await context.store.list('ApplicationSet')
    if (items.every(({ status }) => status?.['resourcesCount'] !== undefined)) return
    if (performance.now() > deadline) throw new Error('waited in vain for all sets to be generated')
    await pause(20)
  }
}
