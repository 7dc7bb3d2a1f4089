import type { HandlerContext } from '@connectrpc/connect'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { GetDiagnosticsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts'
import { policyWarnings } from '@wadi/rbac/policy/policy-warnings.ts'
import { accountsConfigMap } from '../accounts/sign-in-objects.ts'
import type { GatewayContext } from '../context.ts'
import { keptToolsText } from '../summaries/kept-tools.ts'
import { oidcConfigError } from '../oidc/oidc-config.ts'

/** People wait for the answer; a repo-server that hangs is a finding of its own. */
const maxLookMs = 15_000

/** Something that an operator should look at. */
interface Finding {
  severity: 'error' | 'warning'
  area: 'policy' | 'sign-in' | 'plugins' | 'tools' | 'repo-server'
  message: string
}

/** Returns what the server knows to be wrong, and how it contains renderers, to those who may read its settings. */
export function getDiagnostics(context: GatewayContext) {
  return async (_request: GetDiagnosticsRequest, call: HandlerContext) => {
    context.authorization.require(call, 'settings', 'get', `ConfigMap/${accountsConfigMap}`)
    const { findings, protections } = await askRepoServer(context, call.signal)
    const all = [...policyFindings(context), ...signInFindings(context), ...findings]
    return { findings: all.toSorted(errorsFirst), protections }
  }
}

function policyFindings({ policy }: GatewayContext): Finding[] {
  const errors = policy.error?.split('\n') ?? []
  return [
    ...errors.map((message): Finding => ({ severity: 'error', area: 'policy', message })),
    ...policyWarnings(policy.config).map((message): Finding => ({
      severity: 'warning',
      area: 'policy',
      message,
    })),
  ]
}

function signInFindings({ signIn: { objects } }: GatewayContext): Finding[] {
  const message = oidcConfigError(objects.config['oidc.config'])
  return message === undefined ? [] : [{ severity: 'error', area: 'sign-in', message }]
}

/** Returns the diagnostics of one repo-server and its plugins. */
async function askRepoServer({ repoServer, summaries }: GatewayContext, signal: AbortSignal) {
  const options = { signal, timeoutMs: maxLookMs }
  try {
    const [{ plugins }, { protections }, { installed }] = await Promise.all([
      repoServer.listPlugins({}, options),
      repoServer.listProtections({}, options),
      repoServer.resolveRevisions({}, options),
    ])
    const findings = plugins.flatMap(({ name, error, warnings }): Finding[] => [
      ...(error === ''
        ? []
        : [{ severity: 'error', area: 'plugins', message: `plugin ${name}: ${error}` } as const]),
      ...warnings.map((message): Finding => ({ severity: 'warning', area: 'plugins', message })),
    ])
    const keys = new Set(summaries.sorted.map(({ source }) => source.branchKey ?? ''))
    const branches = [...keys].flatMap((key) => summaries.record(key) ?? [])
    const kept = keptToolsText(branches, installed).map((message): Finding => ({
      severity: 'warning',
      area: 'tools',
      message,
    }))
    return { findings: [...findings, ...kept], protections }
  } catch (error) {
    signal.throwIfAborted()
    const finding: Finding = { severity: 'error', area: 'repo-server', message: errorMessage(error) }
    return { findings: [finding], protections: [] }
  }
}

function errorsFirst(one: Finding, other: Finding): number {
  return Number(other.severity === 'error') - Number(one.severity === 'error')
}
