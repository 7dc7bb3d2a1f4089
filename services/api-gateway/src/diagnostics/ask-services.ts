import { createContextValues } from '@connectrpc/connect'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { ServiceReport } from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import { replicaRank } from '@wadi/rpc/replicas/route.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'
import type { GatewayContext } from '../context.ts'
import type { UsedRepository } from './used-repositories.ts'

/** More than services take for their checks. */
const maxAnswerMs = 25_000
/** Replicas of a service that are asked. */
const maxReplicas = 20

/** The answer of one replica, and how far its clock is from that of the gateway. */
export interface AskedReplica {
  readonly report: ServiceReport
  /** In ms, beyond what the way to the replica explains; negative for a clock that is behind. */
  readonly clockOffsetMs: number
}

/** The questions to services. */
export interface Questions {
  readonly remotes: boolean
  readonly details: boolean
  /** The repositories that a service tries. */
  readonly repositories: Readonly<Record<string, readonly UsedRepository[]>>
}

/** Asks every replica of every service at once; one that does not answer is a finding. Only the first replica of a service tries remotes. */
export async function askServices(
  { diagnosed }: Pick<GatewayContext, 'diagnosed'>,
  { remotes, details, repositories }: Questions,
  signal: AbortSignal,
): Promise<{ replicas: AskedReplica[]; findings: Finding[] }> {
  const findings: Finding[] = []
  const ask = async (service: string, rank: number): Promise<AskedReplica[]> => {
    const client = diagnosed[service]
    if (client === undefined) return []
    const sentAt = Date.now()
    const contextValues = createContextValues().set(replicaRank, rank)
    const options = { signal, timeoutMs: maxAnswerMs, contextValues }
    const isFirst = rank === 0
    const tried = isFirst ? (repositories[service] ?? []) : []
    const request = { details, remotes: remotes && isFirst, repositories: tried.map((one) => ({ ...one })) }
    const { report } = await client.diagnose(request, options)
    return report ? [{ report, clockOffsetMs: clockOffset(report.time, sentAt, Date.now()) }] : []
  }
  const askAll = async (service: string): Promise<AskedReplica[]> => {
    try {
      const count = Math.min((await diagnosed[service]?.replicas()) ?? 0, maxReplicas)
      const ranks = Array.from({ length: Math.max(1, count) }, (_, rank) => rank)
      return (await Promise.all(ranks.map((rank) => ask(service, rank)))).flat()
    } catch (error) {
      signal.throwIfAborted()
      const remedy = `start ${service}, or read its log; /readyz of it says what it lacks`
      findings.push({ severity: 'error', area: service, message: errorMessage(error), remedy })
      return []
    }
  }
  const replicas = await Promise.all(Object.keys(diagnosed).map(askAll))
  return { replicas: replicas.flat(), findings }
}

function clockOffset(time: string, sentAt: number, answeredAt: number): number {
  const theirs = Date.parse(time)
  if (Number.isNaN(theirs)) return 0
  return theirs < sentAt ? theirs - sentAt : Math.max(0, theirs - answeredAt)
}
