import type { ServiceReport } from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'
import type { AskedReplica } from './ask-services.ts'

/** Tokens and times in records allow for as much. */
const maxClockOffsetMs = 2_000

/** Finds replicas of another version than the gateway. */
export function versionFindings(replicas: readonly AskedReplica[], own: string): Finding[] {
  return replicas.flatMap(({ report: { service, host, version } }): Finding[] =>
    version === own
      ? []
      : [
          {
            severity: 'warning',
            area: 'versions',
            message: `${service} on ${host} is ${version}, and api-gateway is ${own}`,
            remedy: `finish the upgrade: start ${service} from the release ${own} too`,
          },
        ],
  )
}

/** Finds replicas whose clock differs from that of the gateway. */
export function clockFindings(replicas: readonly AskedReplica[]): Finding[] {
  return replicas.flatMap(({ report: { service, host }, clockOffsetMs }): Finding[] => {
    if (Math.abs(clockOffsetMs) <= maxClockOffsetMs) return []
    const seconds = Math.round(Math.abs(clockOffsetMs) / 1000)
    const message = `the clock of ${service} on ${host} is ${seconds} s ${clockOffsetMs < 0 ? 'behind' : 'ahead of'} that of api-gateway`
    return [{ severity: 'warning', area: 'clock', message, remedy: `timedatectl set-ntp true, on ${host}` }]
  })
}

/**
 * Finds repositories whose new commits only polls found. Where no webhook came at all, that may be meant so.
 * @param hasSecret true if somebody set up webhooks
 */
export function webhookFindings(
  reports: readonly Pick<ServiceReport, 'repositories' | 'startedAt'>[],
  hasSecret: boolean,
): Finding[] {
  const announced = new Set<string>()
  const polled = new Map<string, string>()
  for (const { repositories, startedAt } of reports) {
    for (const { repoUrl, webhookAt, polledAt } of repositories) {
      if (webhookAt !== '') announced.add(repoUrl)
      if (polledAt !== '') polled.set(repoUrl, startedAt)
    }
  }
  const silent = [...polled].filter(([repoUrl]) => !announced.has(repoUrl))
  const [first] = silent
  if (first === undefined) return []
  const isMeant = announced.size === 0 && !hasSecret
  const names = someInLine(
    silent.map(([repoUrl]) => repoUrl),
    5,
  )
  return [
    {
      severity: isMeant ? 'info' : 'warning',
      area: 'webhooks',
      message: `new commits of ${names} waited for a poll: no webhook came since ${first[1]}`,
      remedy: "add a webhook for pushes to /api/webhook of this server in the repository's settings",
    },
  ]
}
