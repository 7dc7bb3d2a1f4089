import path from 'node:path'
import { simpleGit } from 'simple-git'
import type { Effort } from '../effort.ts'
import { type HydrationBed, openHydrationBed } from '../hydration-bed.ts'
import { atMost, type Cost, costText, type Measurement, median } from '../measurement.ts'
import { changeInHouseChart } from '../monorepo/change-monorepo.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { runProgram } from '../run-program.ts'
import { hydrateChartChange } from './change-hydration.ts'
import { hydrateAll } from './hydrate-all.ts'
import { measureProposals } from './proposal-rounds.ts'
import { changeApplication, propose } from './proposed-change.ts'
import { compare } from './timed-comparison.ts'

const oneChangeBar = 1.5
const chartBar = 1.1
const localBar = 2
const standardApplications = 1_000
const standardRounds = 9
const standardChartRounds = 3

const launcher = path.join(import.meta.dirname, '../../../wadi')

/** Compares comparisons of revisions with hydrations of such revisions, and a working tree with the server. */
export async function measureDiff(
  directory: string,
  effort: Effort,
  renderers: CountedRenderers,
): Promise<Measurement[]> {
  const applications = effort.applications(standardApplications)
  await using bed = await openHydrationBed(directory, applications, renderers.directory)
  await hydrateAll(bed)
  return [
    ...(await measureProposals(bed, renderers, effort.rounds(standardRounds), {
      name: 'diff',
      plural: 'comparisons',
      bar: oneChangeBar,
      of: async (branch) => {
        const { cost, summary } = await compare(bed, { revision: branch, base: 'main' })
        if (summary.changed !== 1 || summary.rendered > 2)
          throw new Error(`${summary.changed} applications changed`)
        return cost
      },
    })),
    ...(await measureChart(bed, effort.rounds(standardChartRounds))),
    await measureLocal(bed, directory, renderers, effort.rounds(standardRounds)),
  ]
}

/** A change of the chart of half of the applications, against the hydration of such a change. */
async function measureChart(bed: HydrationBed, rounds: number): Promise<Measurement[]> {
  const costs = { compared: [] as Cost[], hydrated: [] as Cost[] }
  let changed = 0
  for (let n = 0; n <= rounds; n++) {
    const { workTree } = bed.dry
    const branch = await propose(bed, `chart-${n}`, () => changeInHouseChart(workTree, 500 + n))
    const { cost, summary } = await compare(bed, { revision: branch, base: 'main' })
    const hydrated = await hydrateChartChange(bed, n + 1)
    ;({ changed } = summary)
    if (n === 0) continue
    costs.compared.push(cost)
    costs.hydrated.push(hydrated)
  }
  const [compared, hydrated] = [median(costs.compared), median(costs.hydrated)]
  const basis = `${costText(compared)}; hydration: ${costText(hydrated)}`
  const ratio = compared.wall / hydrated.wall
  return [atMost(`diff, chart of ${changed} applications`, ratio, '× cold hydration', chartBar, basis)]
}

/** The command line on a working tree with a warm cache, against the same question to the server. */
async function measureLocal(
  bed: HydrationBed,
  directory: string,
  renderers: CountedRenderers,
  rounds: number,
): Promise<Measurement> {
  const branch = await propose(bed, 'local', () => changeApplication(bed, 700))
  const { workTree, url } = bed.dry
  const environment = {
    PATH: `${renderers.directory}${path.delimiter}${process.env['PATH'] ?? ''}`,
    WADI_SERVER: bed.mesh.address,
    WADI_AUTH_TOKEN: bed.mesh.adminToken,
    WADI_CONFIG_DIR: directory,
    XDG_CACHE_HOME: path.join(directory, 'cache'),
  }
  const wadi = (...args: string[]): Promise<Cost> => {
    const command = [launcher, 'diff', '--repo', url, '--base', 'main', '--no-exit-code', ...args]
    return runProgram(
      '/bin/sh',
      ['-c', 'cd "$1" && shift && exec "$@"', 'sh', workTree, ...command],
      environment,
    )
  }
  const costs = { local: [] as Cost[], server: [] as Cost[] }
  await simpleGit(workTree).checkout(branch)
  for (let n = 0; n <= rounds; n++) {
    const [local, server] = [await wadi('--local'), await wadi('--revision', branch)]
    if (n === 0) continue
    costs.local.push(local)
    costs.server.push(server)
  }
  await simpleGit(workTree).checkout('main')
  const [local, server] = [median(costs.local), median(costs.server)]
  const basis = `${costText(local)}; --revision: ${costText(server)}`
  return atMost('diff --local, warm cache', local.wall / server.wall, '× --revision', localBar, basis)
}
