import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Resource } from '@wadi/resources/resource.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import type { Effort } from '../effort.ts'
import { atMost, type Cost, costText, information, type Measurement, median } from '../measurement.ts'
import { type MeshProcess, startMeshProcess } from '../mesh-process.ts'
import { cpuSeconds } from '../process-tree.ts'
import { runProgram } from '../run-program.ts'
import { makeDiskDirectory } from '../work-directory.ts'

const versionBar = 3
const listBar = 7
const applyBar = 2
const standardApplications = 1_000
const standardRounds = 11
const standardApplyRounds = 5

const launcher = path.join(import.meta.dirname, '../../../wadi')
const environments = ['dev', 'test', 'prod']

/**
 * Compares the command line with an empty program of Node.js, and `apply` with single writes of the store: on a disk, as the store
 * promises that a write that returned survives a crash, and in memory such a promise costs nothing.
 */
export async function measureCommandLine(effort: Effort, toolDirectory: string): Promise<Measurement[]> {
  await using work = await makeDiskDirectory()
  const { directory } = work
  const count = effort.applications(standardApplications)
  await using mesh = await startMeshProcess(directory, toolDirectory)
  const wadi = (...args: string[]): Promise<Cost> =>
    runProgram(launcher, args, environmentOf(mesh, directory))
  const applying = await applyInTurns(mesh, directory, count, effort.rounds(standardApplyRounds), wadi)
  const [empty, version, list] = await inTurns(effort.rounds(standardRounds), [
    () => runProgram(process.execPath, ['-e', '0'], {}),
    () => wadi('--version'),
    () => wadi('app', 'list', '-l', 'round=0'),
  ])
  const of = `${count} Applications`
  return [
    comparison('wadi --version', version, empty, 'node -e 0', versionBar),
    comparison(`wadi app list, ${of}`, list, empty, 'node -e 0', listBar),
    comparison(`wadi apply, ${of}`, applying.apply, applying.writes, 'single writes', applyBar),
    information(
      `wadi apply, ${of}, cpu`,
      applying.apply.cpu / applying.writes.cpu,
      '× single writes',
      'command line and services; starting the command line is a part of it',
    ),
  ]
}

function comparison(
  name: string,
  ours: Cost | undefined,
  theirs: Cost | undefined,
  unit: string,
  bar: number,
): Measurement {
  if (!ours || !theirs) throw new Error(`${name} was not measured`)
  const basis = `${costText(ours)}; ${unit}: ${costText(theirs)}`
  return atMost(name, ours.wall / theirs.wall, `× ${unit}`, bar, basis)
}

/** Each round applies other Applications, and stores as many with one write for each. */
async function applyInTurns(
  mesh: MeshProcess,
  directory: string,
  count: number,
  rounds: number,
  wadi: (...args: string[]) => Promise<Cost>,
): Promise<{ apply: Cost; writes: Cost }> {
  await using store = openSqliteStore({ file: path.join(directory, 'single-writes.db') })
  const costs = { apply: [] as Cost[], writes: [] as Cost[] }
  const file = path.join(directory, 'applications.yaml')
  for (let round = 0; round < rounds; round++) {
    const applications = Array.from({ length: count }, (_, number) => application(round, number))
    await writeFile(file, applications.map((one) => JSON.stringify(one)).join('\n---\n'))
    // Compiles what the first run needs.
    if (round === 0) await wadi('apply', '--dry-run', '-f', file)
    const cpuBefore = cpuSeconds(mesh.pid)
    const apply = await wadi('apply', '-f', file)
    costs.apply.push({ wall: apply.wall, cpu: apply.cpu + cpuSeconds(mesh.pid) - cpuBefore })
    const begun = process.cpuUsage()
    const started = performance.now()
    for (const one of applications) await store.create(one)
    const wall = (performance.now() - started) / 1000
    const { user, system } = process.cpuUsage(begun)
    costs.writes.push({ wall, cpu: (user + system) / 1_000_000 })
  }
  return { apply: median(costs.apply), writes: median(costs.writes) }
}

/** The median of each, measured in turns so that all meet the same load of the machine; the first turn warms up. */
async function inTurns(rounds: number, runs: ReadonlyArray<() => Promise<Cost>>): Promise<Cost[]> {
  const costs = runs.map((): Cost[] => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, run] of runs.entries()) {
      const cost = await run()
      if (round > 0) costs[index]?.push(cost)
    }
  }
  return costs.map(median)
}

function environmentOf({ address, adminToken }: MeshProcess, directory: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    WADI_SERVER: address,
    WADI_AUTH_TOKEN: adminToken,
    WADI_CONFIG_DIR: directory,
  }
}

/** No server has its repository: what a hydration takes is not measured here. */
function application(round: number, number: number): Resource {
  const name = `app-${round}-${String(number).padStart(5, '0')}`
  const environment = environments[number % environments.length] ?? ''
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', labels: { environment, round: String(round) } },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace: name },
      sourceHydrator: {
        drySource: {
          repoURL: 'https://127.0.0.1:1/deploy.git',
          targetRevision: 'main',
          path: `apps/${name}`,
        },
        syncSource: { targetBranch: `environments/${environment}`, path: `apps/${name}` },
      },
    },
  }
}
