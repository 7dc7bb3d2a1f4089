import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { launchChromium, noBrowser } from '@wadi/integration-tests/console/chromium.ts'
import { type ConsoleList, openConsoleList } from '../console-list.ts'
import type { Effort } from '../effort.ts'
import { connectGateway } from '../gateway.ts'
import { listApplications } from '../listed-applications.ts'
import { atMost, type Measurement, notMeasured } from '../measurement.ts'
import { startMeshProcess } from '../mesh-process.ts'

const standardApplications = 5_000
const standardRounds = 5
/** A frame that costs more is seen as a stutter. */
const longFrameMs = 100
const loadBar = 2
/** Rows in the document at once: what is in sight, and what is drawn beyond. */
const rowsBar = 60

/** Opens the list of Applications in a browser, scrolls through all of it and filters it. Needs Chromium. */
export async function measureConsole(
  directory: string,
  effort: Effort,
  toolDirectory: string,
): Promise<Measurement[]> {
  if (noBrowser !== undefined) return [notMeasured('list in a browser', noBrowser)]
  const count = effort.applications(standardApplications)
  const rounds = effort.rounds(standardRounds)
  await promisify(execFile)(process.execPath, [
    path.join(import.meta.dirname, '../../../clients/web/build/build-console.ts'),
  ])
  await using mesh = await startMeshProcess(directory, toolDirectory)
  const gateway = await connectGateway(mesh)
  await listApplications(gateway.applications, count)
  await using browser = await launchChromium()
  const list = await openConsoleList(browser, mesh)
  const measured = await measureList(list, count, rounds)
  await rm(directory, { recursive: true, force: true })
  return measured
}

async function measureList(list: ConsoleList, count: number, rounds: number): Promise<Measurement[]> {
  const empty = await best(rounds, () => list.load('no-such-application'))
  const full = await best(rounds, () => list.load(''))
  const scrolls = await repeated(rounds, () => list.scroll())
  const filters = await repeated(rounds, () => list.filter('half-1', Math.floor(count / 2)))
  const [scroll, filter] = [calmest(scrolls), calmest(filters)]
  const of = `of ${count} applications in a browser`
  const load = `first row after ${full.toFixed(0)} ms; without a row ${empty.toFixed(0)} ms`
  return [
    atMost(`list ${of}, load`, full / empty, '× no rows', loadBar, load),
    atMost(`list ${of}, scroll`, longFrames(scroll), 'long frames', 0, framesText(scroll)),
    atMost(`list ${of}, filter`, longFrames(filter), 'long frames', 0, framesText(filter)),
    atMost(`list ${of}, rows drawn`, await list.rows(), 'rows', rowsBar, 'in the document at once'),
  ]
}

async function repeated<T>(rounds: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let round = 0; round < rounds; round++) results.push(await work())
  return results
}

/** The least of several: others of this machine only add to it. */
async function best(rounds: number, work: () => Promise<number>): Promise<number> {
  return Math.min(...(await repeated(rounds, work)))
}

/** The round whose longest frame is the shortest. */
function calmest(rounds: readonly (readonly number[])[]): readonly number[] {
  return rounds.toSorted((one, other) => Math.max(...one) - Math.max(...other))[0] ?? []
}

function longFrames(frames: readonly number[]): number {
  return frames.filter((ms) => ms > longFrameMs).length
}

function framesText(frames: readonly number[]): string {
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)
  return `${frames.length} frames: half within ${at(0.5)} ms, 99 % within ${at(0.99)} ms, the longest ${at(1)} ms of the main thread's processor time; long is over ${longFrameMs} ms`
}
