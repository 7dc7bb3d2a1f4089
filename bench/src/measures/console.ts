import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { noBrowser } from '@wadi/integration-tests/console/chromium.ts'
import { ConsoleCosts } from '@wadi/integration-tests/console/console-costs-fixture.ts'
import { simpleGit } from 'simple-git'
import type { Effort } from '../effort.ts'
import { type HydrationBed, openHydrationBed } from '../hydration-bed.ts'
import { atMost, type Measurement, notMeasured } from '../measurement.ts'
import type { MonorepoOptions } from '../monorepo/generate-monorepo.ts'
import type { MonorepoApplication } from '../monorepo/monorepo-application.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { runProgram } from '../run-program.ts'
import { hydrateAll } from './hydrate-all.ts'

const standardApplications = 10_000
const standardRounds = 5
const standardCommits = 500
/** Two minutes of changes, ten a second. */
const standardChanges = 1_200
const changesPerSecond = 10
const branches = 60

/** Measures the pages of the console in a browser: the first rows, frames, a filter, the environments, scripts and memory. */
export async function measureConsole(
  directory: string,
  effort: Effort,
  renderers: CountedRenderers,
): Promise<Measurement[]> {
  if (noBrowser !== undefined) return [notMeasured('console', noBrowser)]
  const root = path.join(import.meta.dirname, '../../..')
  await runProgram(process.execPath, [path.join(root, 'clients/web/build/build-console.ts')], {})
  const count = effort.applications(standardApplications)
  await using bed = await openHydrationBed(directory, count, renderers.directory, { generate: generateList })
  await pushHistory(bed, effort.rounds(standardCommits))
  await hydrateAll(bed)
  await using costs = await ConsoleCosts.open(bed.mesh.address, bed.mesh.adminToken)
  const firstLoad = await costs.firstLoad()
  const times = async (measure: () => Promise<number>) => {
    const all: number[] = []
    for (let n = 0; n < effort.rounds(standardRounds); n++) all.push(await measure())
    return all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0
  }
  const [rows, empty] = [await times(() => costs.firstRows()), await times(() => costs.emptyPage())]
  const filter = await times(() => costs.filter('list-0007'))
  const environments = await times(() => costs.script('/environments', '[aria-label^="Dry commits"]'))
  const frame = await times(() => costs.longestFrame())
  const basis = `${count} Applications`
  const ms = (value: number) => `${value.toFixed(0)} ms`
  return [
    atMost(
      'console, first rows after a reload',
      rows / empty,
      '× an empty page',
      3,
      `${ms(rows)} and ${ms(empty)}`,
    ),
    atMost('console, longest frame of 240 while scrolling', frame, 'ms', 50, basis),
    atMost('console, from a key in the filter to its rows', filter, 'ms', 100, basis),
    atMost('console, environments, script', environments, 'ms', 200, `${branches} branches`),
    atMost('console, script of the first load', firstLoad / 1_024, 'KiB', 250, 'compressed'),
    await memoryMeasurement(bed, costs, effort.rounds(standardChanges)),
  ]
}

/** The memory of the tab after many changes, compared with that after half of them. */
async function memoryMeasurement(
  bed: HydrationBed,
  costs: ConsoleCosts,
  changes: number,
): Promise<Measurement> {
  await costs.firstRows()
  const names = bed.dry.applications.map(({ name }) => name)
  const changeMany = async (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const name = names[n % names.length] ?? ''
      await bed.gateway.applications.labelApplication({ name, labels: { turn: `t${n % 7}` } })
      await pause(1_000 / changesPerSecond)
    }
    return costs.memory()
  }
  const half = await changeMany(0, Math.ceil(changes / 2))
  const whole = await changeMany(Math.ceil(changes / 2), changes)
  const basis = `${changes} changes, ${changesPerSecond} a second; ${(whole / 1_024 ** 2).toFixed(1)} MiB`
  return atMost('console, memory of the tab', whole / half, '× after half of the changes', 1.1, basis)
}

/** Writes a directory for each branch, which its Applications share. */
async function generateList({
  directory,
  applications: count,
}: MonorepoOptions): Promise<MonorepoApplication[]> {
  for (let branch = 0; branch < branches; branch++) {
    await mkdir(path.join(directory, `app-${branch}`), { recursive: true })
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app-${branch}}\ndata: {turn: "0"}\n`
    await writeFile(path.join(directory, `app-${branch}/a.yaml`), text)
  }
  return Array.from({ length: count }, (_, index) => {
    const name = `list-${String(index).padStart(5, '0')}`
    const branch = index % branches
    const place = { path: `app-${branch}`, branch: `environments/${branch}`, syncPath: name }
    return { name, kind: 'directory', namespace: 'list', ...place }
  })
}

/** Makes dry commits before the first one that is hydrated. */
async function pushHistory({ dry }: HydrationBed, commits: number): Promise<void> {
  const git = simpleGit(dry.workTree)
  for (let n = 0; n < commits; n++) await git.raw('commit', '--quiet', '--allow-empty', '-m', `Change ${n}`)
}
