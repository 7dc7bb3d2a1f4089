import { hostname } from 'node:os'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import type {
  DiagnoseRequest,
  ServiceReportSchema,
} from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import type { HealthRegistry } from '../health-registry.ts'
import type { ServiceBase } from '../service-base.ts'
import type { SettingsDefinition } from '../setting.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { diskFindings, readDisks } from './disks.ts'
import type { Diagnose, Diagnosis, Finding } from './finding.ts'
import { shownSettings } from './shown-settings.ts'

/** The parts of a report that differ between services. */
export interface Diagnosed {
  /** Its settings, for those who ask for details. */
  readonly definition: SettingsDefinition
  /** Finds what only this service can know; nothing by default. */
  readonly diagnose?: Diagnose
}

/** The time that a service takes for its own checks, in ms; what takes longer is named. */
const maxDiagnosisMs = 20_000

/** Returns the state of a replica and what is wrong with it. */
export async function serviceReport(
  base: Pick<ServiceBase, 'name' | 'settings' | 'metrics' | 'recentLines'>,
  health: Pick<HealthRegistry, 'failures' | 'warnings'>,
  { definition, diagnose }: Diagnosed,
  request: Pick<DiagnoseRequest, 'remotes' | 'repositories' | 'details'>,
  signal: AbortSignal,
): Promise<MessageInitShape<typeof ServiceReportSchema>> {
  const nothing: Diagnosis = { findings: [] }
  const [disks, failures, { findings, repositories = [] }] = await Promise.all([
    readDisks(base.settings.dataDirectory),
    health.failures(),
    diagnose ? ownDiagnosis(base.name, diagnose, request, signal) : nothing,
  ])
  const known = new Set(findings.map(({ area }) => area))
  const notReady = Object.entries(failures).map(([name, message]): Finding => ({
    severity: 'error',
    area: base.name,
    message: `not ready: ${name}: ${message}`,
    remedy: `read the log of ${base.name}`,
  }))
  const warnings = Object.entries(health.warnings()).filter(([name]) => !known.has(name))
  return {
    service: base.name,
    host: hostname(),
    version: `v${packageFile.version}`,
    nodeVersion: process.version,
    time: new Date().toISOString(),
    startedAt: new Date(performance.timeOrigin).toISOString(),
    findings: [
      ...notReady,
      ...warnings.map(([area, message]) => ({
        severity: 'warning',
        area,
        message: `${base.name}: ${message}`,
      })),
      ...diskFindings(base.name, disks),
      ...findings,
    ],
    disks: disks.map(({ directory, freeBytes, totalBytes }) => ({ directory, freeBytes, totalBytes })),
    repositories: repositories.map((news) => ({ ...news })),
    ...(request.details && {
      settings: shownSettings(definition, base.settings),
      metrics: await base.metrics.expose(),
      log: base.recentLines(),
    }),
  }
}

/** A check that fails is a finding, and not the end of the report. */
async function ownDiagnosis(
  service: string,
  diagnose: Diagnose,
  request: Pick<DiagnoseRequest, 'remotes' | 'repositories'>,
  signal: AbortSignal,
): Promise<Diagnosis> {
  try {
    return await diagnose(request, AbortSignal.any([signal, AbortSignal.timeout(maxDiagnosisMs)]))
  } catch (error) {
    signal.throwIfAborted()
    const message = `its checks failed: ${errorMessage(error)}`
    const remedy = `read the log of ${service}`
    return { findings: [{ severity: 'error', area: service, message, remedy }] }
  }
}
