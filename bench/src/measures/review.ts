import { setTimeout as pause } from 'node:timers/promises'
import { newPull, standInState } from '@wadi/forges/pull-requests/forge-state-fixture.ts'
import { standInToken } from '@wadi/forges/pull-requests/stand-in-answers-fixture.ts'
import { type StandInForge, startStandInForge } from '@wadi/forges/pull-requests/stand-in-server-fixture.ts'
import { simpleGit } from 'simple-git'
import type { Effort } from '../effort.ts'
import { type HydrationBed, openHydrationBed } from '../hydration-bed.ts'
import type { Cost, Measurement } from '../measurement.ts'
import { cpuSeconds } from '../process-tree.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { hydrateAll } from './hydrate-all.ts'
import { measureProposals } from './proposal-rounds.ts'

/** A review also asks the forge several times, one after the other. */
const bar = 3
const standardApplications = 1_000
const standardRounds = 9
const pollMilliseconds = 5

/** Compares the review of a pull request that changes one application with the hydration of such a change without its push. */
export async function measureReview(
  directory: string,
  effort: Effort,
  renderers: CountedRenderers,
): Promise<Measurement[]> {
  const applications = effort.applications(standardApplications)
  await using bed = await openHydrationBed(directory, applications, renderers.directory)
  await hydrateAll(bed)
  await using forge = await connectForge(bed)
  const measured = await measureProposals(bed, renderers, effort.rounds(standardRounds), {
    name: 'review',
    plural: 'reviews',
    bar,
    of: (branch) => review(bed, forge, branch),
  })
  if (forge.violations.length > 0) throw new Error(forge.violations.join('\n'))
  return measured
}

/** Starts a forge for the dry repository and turns reviews on. */
async function connectForge({ dry, gateway, server }: HydrationBed): Promise<StandInForge> {
  const [name = '', owner = ''] = new URL(dry.url).pathname
    .replace(/\.git$/, '')
    .split('/')
    .toReversed()
  const state = standInState(dry.bare, { owner: owner === '' ? 'bench' : owner, name })
  const forge = await startStandInForge('github', state)
  await gateway.repositories.createRepository({
    repoUrl: dry.url,
    ...server.credentials,
    write: true,
    upsert: true,
    forge: 'github',
    forgeUrl: forge.address,
    forgeToken: standInToken,
  })
  await gateway.resources.applyResource({
    resource: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm', namespace: 'argocd' },
      data: { 'sourceHydrator.reviews': '*' },
    },
  })
  return forge
}

/** Opens a pull request, and waits from its webhook to its status and comment. */
async function review(bed: HydrationBed, { state }: StandInForge, branch: string): Promise<Cost> {
  const { gateway, dry, mesh } = bed
  const pull = newPull(state, { title: branch, body: '', head: branch, base: 'main' })
  const sha = await simpleGit(dry.workTree).revparse([branch])
  const cpuBefore = cpuSeconds(mesh.pid)
  const started = performance.now()
  await gateway.pullRequestWebhook(dry.url, pull.number)
  for (let word = ''; word !== 'success';) {
    await pause(pollMilliseconds)
    word = state.statuses.find((status) => status.sha === sha)?.state ?? ''
    if (word === 'failure' || word === 'error') throw new Error(`the review of ${branch} ended with ${word}`)
  }
  const wall = (performance.now() - started) / 1000
  pull.state = 'closed'
  return { wall, cpu: cpuSeconds(mesh.pid) - cpuBefore }
}
