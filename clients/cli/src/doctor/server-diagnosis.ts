import type { GetDiagnosticsResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts'
import { programVersion } from '../command-line/program-version.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { ComparisonProgress } from '../diff/comparison-progress.ts'
import { type ShownFinding, sortedFindings } from './finding-output.ts'

/** Requests pass proxies, and clocks are set once an hour. */
const maxClockOffsetMs = 5_000

/** The answer of a server, and everything that is wrong with it, with its services and with the way to it. */
export interface ServerDiagnosis {
  readonly answer: GetDiagnosticsResponse
  readonly findings: ShownFinding[]
}

/** Has a server check itself, its services and its repositories; on a terminal it shows for how long. */
export async function diagnoseServer(
  session: CommandSession,
  { details }: { readonly details: boolean },
): Promise<ServerDiagnosis> {
  const { diagnostics } = await session.connect('diagnostics')
  const sentAt = Date.now()
  using progress = new ComparisonProgress()
  const show = () => {
    const seconds = Math.round((Date.now() - sentAt) / 1000)
    progress.show({ phase: `Checking services and repositories, ${seconds} s`, done: 0, total: 0 })
  }
  show()
  const ticking = setInterval(show, 1_000)
  const options = { signal: session.signal }
  const answer = await diagnostics
    .getDiagnostics({ remotes: true, details }, options)
    .finally(() => clearInterval(ticking))
  const ofServices = answer.services.flatMap((service) => service.findings)
  const shown = [...answer.findings, ...ofServices].map(({ severity, area, message, remedy }) => ({
    severity,
    area,
    message,
    remedy,
  }))
  const between = betweenHere(answer, sentAt, Date.now())
  return { answer, findings: sortedFindings([...shown, ...between]) }
}

/** Compares the versions and the clocks of this command line and the gateway. */
function betweenHere(
  { services }: GetDiagnosticsResponse,
  sentAt: number,
  answeredAt: number,
): ShownFinding[] {
  const gateway = services.find(({ service }) => service === 'api-gateway')
  if (!gateway) return []
  const findings: ShownFinding[] = []
  if (gateway.version !== programVersion) {
    findings.push({
      severity: 'warning',
      area: 'versions',
      message: `this command line is ${programVersion}, and the server ${gateway.version}`,
      remedy: `install the release ${gateway.version} of the command line, or upgrade the server`,
    })
  }
  const time = Date.parse(gateway.time)
  const offset = time < sentAt ? time - sentAt : Math.max(0, time - answeredAt)
  if (Math.abs(offset) > maxClockOffsetMs) {
    const seconds = Math.round(Math.abs(offset) / 1000)
    findings.push({
      severity: 'warning',
      area: 'clock',
      message: `the clock of the server is ${seconds} s ${offset < 0 ? 'behind' : 'ahead of'} that of this machine`,
      remedy: `timedatectl set-ntp true, on this machine and on ${gateway.host}`,
    })
  }
  return findings
}
