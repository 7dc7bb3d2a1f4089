import type { HandlerContext } from '@connectrpc/connect'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { GetDiagnosticsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts'
import { policyWarnings } from '@wadi/rbac/policy/policy-warnings.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'
import { accountsConfigMap } from '../accounts/sign-in-objects.ts'
import type { GatewayContext } from '../context.ts'
import { askServices } from '../diagnostics/ask-services.ts'
import { clockFindings, versionFindings, webhookFindings } from '../diagnostics/installation-findings.ts'
import { usedRepositories } from '../diagnostics/used-repositories.ts'
import { keptToolsFindings } from '../summaries/kept-tools.ts'
import { oidcConfigError } from '../oidc/oidc-config.ts'

/** People wait for the answer; a repo-server that hangs is a finding of its own. */
const maxLookMs = 15_000

/** Returns what the server knows to be wrong, and how it contains renderers, to those who may read its settings. */
export function getDiagnostics(context: GatewayContext) {
  return async ({ remotes, details }: GetDiagnosticsRequest, call: HandlerContext) => {
    const { signal } = call
    context.authorization.require(call, 'settings', 'get', `ConfigMap/${accountsConfigMap}`)
    const { dry, hydrated } = remotes ? await usedRepositories(context.store) : { dry: [], hydrated: [] }
    const repositories = { 'repo-server': dry, 'commit-server': hydrated }
    const [own, asked, { findings, protections }, hasSecret] = await Promise.all([
      context.ownReport(details, signal),
      askServices(context, { remotes, details, repositories }, signal),
      askRepoServer(context, signal),
      hasWebhookSecret(context),
    ])
    const reports = asked.replicas.map(({ report }) => report)
    const all = [
      ...policyFindings(context),
      ...signInFindings(context),
      ...findings,
      ...asked.findings,
      ...versionFindings(asked.replicas, own.version),
      ...clockFindings(asked.replicas),
      ...webhookFindings(reports, hasSecret),
    ]
    return { findings: all.toSorted(bySeverity), protections, services: [own, ...reports] }
  }
}

function policyFindings({ policy }: GatewayContext): Finding[] {
  const errors = policy.error?.split('\n') ?? []
  const area = 'policy'
  const remedy = 'wadi admin rbac validate --policy-file FILE checks a policy before it is applied'
  return [
    ...errors.map((message): Finding => ({ severity: 'error', area, message, remedy })),
    ...policyWarnings(policy.config).map((message): Finding => ({
      severity: 'warning',
      area,
      message,
      remedy,
    })),
  ]
}

function signInFindings({ signIn: { objects } }: GatewayContext): Finding[] {
  const message = oidcConfigError(objects.config['oidc.config'])
  if (message === undefined) return []
  return [
    { severity: 'error', area: 'sign-in', message, remedy: 'correct oidc.config of ConfigMap argocd-cm' },
  ]
}

/** Returns the protections of one repo-server, and what is wrong with its plugins. */
async function askRepoServer({ repoServer, summaries }: GatewayContext, signal: AbortSignal) {
  const options = { signal, timeoutMs: maxLookMs }
  try {
    const [{ plugins }, { protections }, { installed }] = await Promise.all([
      repoServer.listPlugins({}, options),
      repoServer.listProtections({}, options),
      repoServer.resolveRevisions({}, options),
    ])
    const findings = plugins.flatMap(({ name, error, warnings }): Finding[] => {
      const remedy = `wadi plugin get ${name}`
      const area = 'plugins'
      const message = `plugin ${name}: ${error}`
      return [
        ...(error === '' ? [] : [{ severity: 'error', area, message, remedy } as const]),
        ...warnings.map((warning): Finding => ({ severity: 'warning', area, message: warning, remedy })),
      ]
    })
    const keys = new Set(summaries.sorted.map(({ source }) => source.branchKey ?? ''))
    const branches = [...keys].flatMap((key) => summaries.record(key) ?? [])
    return { findings: [...findings, ...keptToolsFindings(branches, installed)], protections }
  } catch (error) {
    signal.throwIfAborted()
    const finding: Finding = {
      severity: 'error',
      area: 'repo-server',
      message: errorMessage(error),
      remedy: 'start repo-server, or read its log',
    }
    return { findings: [finding], protections: [] }
  }
}

async function hasWebhookSecret({ store }: GatewayContext): Promise<boolean> {
  const secret = await store.get('Secret', controlPlaneNamespace, 'argocd-secret')
  return Object.keys(secret?.data ?? {}).some((key) => key.startsWith('webhook.'))
}

const severities: readonly string[] = ['error', 'warning', 'info']

function bySeverity(one: Finding, other: Finding): number {
  return severities.indexOf(one.severity) - severities.indexOf(other.severity)
}
