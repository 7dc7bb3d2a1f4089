import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import type { Effort } from '../effort.ts'
import { connectGateway } from '../gateway.ts'
import { type BedOptions, type HydrationBed, openHydrationBed } from '../hydration-bed.ts'
import { atMost, type Cost, costText, type Measurement, median, notMeasured } from '../measurement.ts'
import { startMeshProcess } from '../mesh-process.ts'
import { changeReadmeOnly } from '../monorepo/change-monorepo.ts'
import { generateTwoVersions } from '../monorepo/two-versions.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { hydrateOneChange } from './change-hydration.ts'
import { hydrateAll } from './hydrate-all.ts'
import { compare } from './timed-comparison.ts'

const coldBar = 1.15
const oneChangeBar = 1.15
const upgradeBar = 1.05
const diffBar = 1.1
const standardApplications = 1_000
const standardRounds = 9
/** First hydrations are repeated, as the ratio is closer to 1 than two of them on one machine are to each other. */
const standardColdRounds = 3
const newer = { helm: '4.3.1', kustomize: '5.8.3' }

/** The costs of a bed for its first hydration and for one change. */
interface BedCosts {
  readonly cold: Cost
  readonly oneChange: Cost
}

/**
 * Compares repositories with two versions of each tool with those with one, and an upgrade of the tools, before and after it is made, with
 * a first hydration.
 */
export async function measureTools(
  directory: string,
  effort: Effort,
  renderers: CountedRenderers,
): Promise<Measurement[]> {
  if (renderersMissing !== undefined) return [notMeasured('tools', renderersMissing)]
  const applications = effort.applications(standardApplications)
  const rounds = effort.rounds(standardRounds)
  const toolsDirectory = await installNewer(path.join(directory, 'versions'), renderers)
  const settings = { WADI_TOOLS_DIRECTORY: toolsDirectory }
  const name = `tools, ${applications} applications`
  const open = (part: string, options: BedOptions = {}): Promise<HydrationBed> =>
    openHydrationBed(path.join(directory, part), applications, renderers.directory, { ...options, settings })
  const openTwo = (part: string): Promise<HydrationBed> =>
    open(part, { generate: generateTwoVersions(newer) })
  const measured: Measurement[] = []
  const colds = await coldPairs(openTwo, open, effort.rounds(standardColdRounds) - 1)
  let two: BedCosts
  {
    await using bed = await openTwo('two')
    two = await measureBed(bed, rounds)
  }
  {
    await using bed = await open('one')
    const one = await measureBed(bed, rounds)
    const cold = [median([...colds.two, two.cold]), median([...colds.one, one.cold])] as const
    measured.push(
      ratio(`${name} with two versions`, ...cold, coldBar),
      ratio(`${name} with two versions, one change`, two.oneChange, one.oneChange, oneChangeBar),
      await measureComparison(bed, name, one.cold),
    )
  }
  // A bed of its own: what a comparison has rendered would not be rendered again.
  await using bed = await open('upgraded')
  measured.push(...(await measureUpgrade(bed, name)))
  measured.push(...(await measureKept(bed, path.join(directory, 'upgraded'), renderers, settings)))
  return measured
}

/** Makes first hydrations of both kinds of beds, in an order that favours neither. */
async function coldPairs(
  openTwo: (part: string) => Promise<HydrationBed>,
  openOne: (part: string) => Promise<HydrationBed>,
  pairs: number,
): Promise<{ two: Cost[]; one: Cost[] }> {
  const costs: { two: Cost[]; one: Cost[] } = { two: [], one: [] }
  for (let n = 0; n < pairs; n++) {
    for (const kind of n % 2 === 0 ? (['one', 'two'] as const) : (['two', 'one'] as const)) {
      await using bed = await (kind === 'two' ? openTwo : openOne)(`${kind}-${n}`)
      costs[kind].push(await hydrateAll(bed))
    }
  }
  return costs
}

async function measureBed(bed: HydrationBed, rounds: number): Promise<BedCosts> {
  const cold = await hydrateAll(bed)
  const costs: Cost[] = []
  for (let n = 0; n <= rounds; n++) {
    const cost = await hydrateOneChange(bed, n + 1)
    // The first time warms up what only small runs use.
    if (n > 0) costs.push(cost)
  }
  return { cold, oneChange: median(costs) }
}

/** Asks what newer versions change, which is nothing here. */
async function measureComparison(bed: HydrationBed, name: string, cold: Cost): Promise<Measurement> {
  const { cost, summary } = await compare(bed, { revision: 'main', tools: newer })
  if (summary.changed > 0) throw new Error(`${summary.changed} applications differ with other versions`)
  return ratio(`${name}, diff --tools`, cost, cold, diffBar)
}

/** Names newer versions in git, which change nothing here. */
async function measureUpgrade(bed: HydrationBed, name: string): Promise<Measurement[]> {
  const cold = await hydrateAll(bed)
  const before = [...bed.branches.heads().values()]
  const upgrade = await bed.hydrate(
    async () => {
      await writeFile(
        path.join(bed.dry.workTree, 'wadi.yaml'),
        `tools: {helm: ${newer.helm}, kustomize: ${newer.kustomize}}\n`,
      )
      return bed.dry.push('Upgrade the tools', 'wadi.yaml')
    },
    (drySha) => bed.branches.noted(drySha),
  )
  const moved = [...bed.branches.heads().values()].filter((head) => !before.includes(head)).length
  return [
    ratio(`${name}, upgrade that changes nothing`, upgrade, cold, upgradeBar),
    atMost(
      'tools, commits of an upgrade that changes nothing',
      moved,
      'commits',
      0,
      `${before.length} branches`,
    ),
  ]
}

/** Restarts the mesh with other versions of its own, as an upgrade of Wadi does; those that git names stay. */
async function measureKept(
  bed: HydrationBed,
  directory: string,
  renderers: CountedRenderers,
  settings: Readonly<Record<string, string>>,
): Promise<Measurement[]> {
  await bed.mesh[Symbol.asyncDispose]()
  const heads = [...bed.branches.heads().values()]
  const helm = await renderers.count(path.join(directory, 'own'), 'helm', rendererFiles.helm3)
  // By programs alone, so that each render is counted.
  const upgraded = { ...settings, WADI_HELM: helm, WADI_RENDERERS: 'tools' }
  const before = await renderers.starts()
  await using mesh = await startMeshProcess(directory, renderers.directory, upgraded)
  const gateway = await connectGateway(mesh)
  const { dry, branches } = bed
  const drySha = await dry.push('After the upgrade', await changeReadmeOnly(dry.workTree, 900))
  await gateway.webhook(dry.url, drySha)
  await branches.noted(drySha)
  const started = (await renderers.starts()) - before
  const moved = [...branches.heads().values()].filter((head) => !heads.includes(head)).length
  const basis = `${heads.length} branches, a restart and a dry commit`
  return [
    atMost('tools, renders after an upgrade of Wadi', started, 'renders', 0, basis),
    atMost('tools, commits after an upgrade of Wadi', moved, 'commits', 0, basis),
  ]
}

/** A directory as `WADI_TOOLS_DIRECTORY` names one. */
async function installNewer(directory: string, renderers: CountedRenderers): Promise<string> {
  await mkdir(directory, { recursive: true })
  await renderers.count(path.join(directory, 'helm', newer.helm), 'helm', rendererFiles.helm4)
  const kustomize = path.join(directory, 'kustomize', newer.kustomize)
  await renderers.count(kustomize, 'kustomize', rendererFiles.kustomize)
  return directory
}

function ratio(name: string, ours: Cost, theirs: Cost, bar: number): Measurement {
  return atMost(name, ours.wall / theirs.wall, '×', bar, `${costText(ours)}; against ${costText(theirs)}`)
}
