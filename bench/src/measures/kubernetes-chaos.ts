import { ChaosMesh } from '@wadi/integration-tests/kubernetes/chaos-fixture.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { Effort } from '../effort.ts'
import { atMost, type Measurement } from '../measurement.ts'

const troubleBar = 1.5
const lockMs = 5_000

/** What becomes of a change when processes are killed, frozen and replaced. */
export async function measureChaos(effort: Effort): Promise<Measurement[]> {
  await using chaos = await ChaosMesh.start({ repositories: 2, branchesOfEach: 3, lockMs })
  const [hydrator] = chaos.mesh.processes.hydrator
  const takeovers: number[] = []
  const killed: number[] = []
  for (let round = 0; round < effort.rounds(3); round++) {
    const { outcome, takeoverMs } = await chaos.killDuringRuns()
    takeovers.push(takeoverMs)
    killed.push(outcome.runsPerChange)
  }
  const frozen = await chaos.change(async () => {
    hydrator?.signal('SIGSTOP')
    await delay(1.2 * lockMs)
    hydrator?.signal('SIGCONT')
  })
  let failed = 0
  let calls = 0
  // The counts of runs go with the processes; the branches must be whole.
  await chaos.change(async () => {
    const outcome = await chaos.restartAll()
    failed = outcome.errors.length
    calls = outcome.calls
  })
  const name = 'kubernetes, runs for each branch and change'
  const basis = '6 branches, 2 of each service; all branches whole'
  const longest = Math.max(...takeovers)
  return [
    atMost(`${name}, one of each service killed`, Math.max(...killed), '', troubleBar, basis),
    atMost(`${name}, hydrator frozen beyond its lock`, frozen.runsPerChange, '', troubleBar, basis),
    atMost(
      'kubernetes, takeover from a killed hydrator',
      longest / lockMs,
      '× the lock',
      2,
      `kill to last record ${takeovers.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s, lock ${lockMs / 1000} s`,
    ),
    atMost('kubernetes, failed calls at the gateway, rolling restart', failed, '', 0, `${calls} calls`),
  ]
}
