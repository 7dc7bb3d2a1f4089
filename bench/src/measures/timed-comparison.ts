import type { ChangesSummary } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { HydrationBed } from '../hydration-bed.ts'
import type { Cost } from '../measurement.ts'
import { cpuSeconds } from '../process-tree.ts'

/** A comparison, and what it found. */
interface TimedComparison {
  readonly cost: Cost
  readonly summary: ChangesSummary
}

/** The two sides of a comparison. */
interface Compared {
  readonly revision: string
  readonly base?: string
  readonly tools?: Readonly<Record<string, string>>
}

/**
 * Compares as `wadi diff` does.
 * @throws Error when an Application fails
 */
export async function compare(
  { gateway, dry, mesh }: HydrationBed,
  compared: Compared,
): Promise<TimedComparison> {
  const cpuBefore = cpuSeconds(mesh.pid)
  const started = performance.now()
  let summary: ChangesSummary | undefined
  const request = { repoUrl: dry.url, ...compared }
  for await (const { message } of gateway.reviews.compareRevisions(request)) {
    if (message.case === 'summary') summary = message.value
  }
  const wall = (performance.now() - started) / 1000
  if (!summary || summary.failed > 0) throw new Error(`the comparison of ${compared.revision} failed`)
  return { cost: { wall, cpu: cpuSeconds(mesh.pid) - cpuBefore }, summary }
}
