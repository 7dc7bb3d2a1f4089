import { ChaosMesh } from '@wadi/integration-tests/kubernetes/chaos-fixture.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { Effort } from '../effort.ts'
import { type Attempt, atMost, type Measurement } from '../measurement.ts'

const troubleBar = 1.5
const lockMs = 5_000
const runsName = 'kubernetes, runs for each branch and change'
const basis = '6 branches, 2 of each service; all branches whole'

/** Measures changes while processes are killed, frozen and replaced. */
export async function measureChaos(effort: Effort, attempt: Attempt): Promise<Measurement[]> {
  await using chaos = await ChaosMesh.start({ repositories: 2, branchesOfEach: 3, lockMs })
  await attempt('services killed', () => measureKills(chaos, effort))
  await attempt('hydrator frozen', () => measureFreeze(chaos))
  await attempt('rolling restart', () => measureRestart(chaos))
  return []
}

async function measureKills(chaos: ChaosMesh, effort: Effort): Promise<Measurement[]> {
  const takeovers: number[] = []
  const killed: number[] = []
  for (let round = 0; round < effort.rounds(3); round++) {
    const { outcome, takeoverMs } = await chaos.killDuringRuns()
    takeovers.push(takeoverMs)
    killed.push(outcome.runsPerChange)
  }
  const seconds = takeovers.map((ms) => (ms / 1000).toFixed(1)).join(', ')
  return [
    atMost(`${runsName}, one of each service killed`, Math.max(...killed), '', troubleBar, basis),
    atMost(
      'kubernetes, takeover from a killed hydrator',
      Math.max(...takeovers) / lockMs,
      '× the lock',
      2,
      `kill to last record ${seconds} s, lock ${lockMs / 1000} s`,
    ),
  ]
}

async function measureFreeze(chaos: ChaosMesh): Promise<Measurement[]> {
  const [hydrator] = chaos.mesh.processes.hydrator
  const { runsPerChange } = await chaos.change(async () => {
    hydrator?.signal('SIGSTOP')
    await delay(1.2 * lockMs)
    hydrator?.signal('SIGCONT')
  })
  return [atMost(`${runsName}, hydrator frozen beyond its lock`, runsPerChange, '', troubleBar, basis)]
}

async function measureRestart(chaos: ChaosMesh): Promise<Measurement[]> {
  let [failed, calls] = [0, 0]
  // The counts of runs go with the processes; the branches must be whole.
  await chaos.change(async () => {
    const outcome = await chaos.restartAll()
    failed = outcome.errors.length
    calls = outcome.calls
  })
  const name = 'kubernetes, failed calls at the gateway, rolling restart'
  return [atMost(name, failed, '', 0, `${calls} calls`)]
}
