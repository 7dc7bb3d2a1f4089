import type { JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ApplyResourceRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { policyConfigMap } from '@wadi/rbac/decide/live-policy.ts'
import { readPolicyConfig } from '@wadi/rbac/policy/read-policy-config.ts'
import {
  readRepositorySecret,
  repositorySecretWarnings,
  secretTypeLabel,
} from '@wadi/repositories/repository-secret.ts'
import { isTrustConfigMap } from '@wadi/repositories/server-trust.ts'
import { applicationWarnings } from '@wadi/resources/application/application-warnings.ts'
import { isClusterSecret } from '@wadi/resources/cluster-secret.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { projectWarnings } from '@wadi/resources/project/project-warnings.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { settingsWarnings } from '@wadi/resources/settings-warnings.ts'
import { readUserObject, toStruct } from '../applications/read-application.ts'
import { storeObject, type StoreOptions, type StoreOutcome } from '../applications/store-application.ts'
import { writeApplication } from '../applications/write-application.ts'
import { policyObjectOf } from '../authorization/policy-object.ts'
import { requireStoreRight } from '../authorization/store-right.ts'
import { writeCluster } from '../clusters/write-cluster.ts'
import type { GatewayContext } from '../context.ts'
import { checkedProject } from '../projects/project-resource.ts'
import { checkKeys, holdsKeys } from '../gpg-keys/check-keys.ts'
import { writeProject } from '../projects/write-project.ts'
import { putRepository } from '../repositories/repository-access.ts'
import { accountsSecret, revokedTokensSecret, sessionKeysSecret } from '../accounts/sign-in-objects.ts'
import { storeTrust } from '../trusted-servers/store-trust.ts'
import { passOn } from '../application-sets/pass-on.ts'

/** The gateway's own objects: whoever could write them could sign in as anybody, or undo a sign-out. */
const ownObjects = new Set([sessionKeysSecret, revokedTokensSecret])

/** Creates an object or changes the stored one to it; its kind decides which right that takes. */
export function applyResource(context: GatewayContext) {
  return async ({ resource, dryRun }: ApplyResourceRequest, call: HandlerContext) => {
    const sent = readUserObject(resource)
    refuseOwnObject(sent)
    if (sent.kind === 'ApplicationSet') return applyApplicationSet(context, call, resource, dryRun)
    if (isRepositorySecret(sent)) return applyRepositorySecret(context, call, sent, dryRun)
    const { resource: stored, outcome } = await store(context, call, sent, dryRun)
    return {
      resource: toStruct(withoutSecrets(stored)),
      outcome: reported(outcome),
      warnings: warningsOf(sent, resource),
    }
  }
}

/** Returns warnings about the stored fields of an object that have no effect. */
function warningsOf(sent: Resource, raw: JsonObject = {}): string[] {
  if (sent.kind === 'Application') return applicationWarnings(raw)
  return sent.kind === 'AppProject' ? projectWarnings(sent) : settingsWarnings(sent)
}

function reported(outcome: string): string {
  return outcome === 'updated' ? 'configured' : outcome
}

async function store(
  context: GatewayContext,
  call: HandlerContext,
  wanted: Resource,
  dryRun: boolean,
): Promise<StoreOutcome> {
  const options: StoreOptions = {
    replace: true,
    dryRun,
    permit: (stored) =>
      requireStoreRight(context, call, policyObjectOf(wanted), stored && policyObjectOf(stored), true),
  }
  if (wanted.kind === 'Application') {
    return writeApplication(context, wanted, { ...options, validate: false }, call.signal)
  }
  if (wanted.kind === 'AppProject') return writeProject(context, checkedProject(wanted), options)
  if (isClusterSecret(wanted)) return writeCluster(context, call, wanted, { replace: true, dryRun })
  checkPolicy(wanted)
  if (holdsKeys(wanted)) {
    // gpg reads nothing for somebody who may not store it.
    options.permit(await context.store.get('ConfigMap', controlPlaneNamespace, wanted.metadata.name))
    await checkKeys(context, wanted, call.signal)
  }
  if (isTrustConfigMap(wanted)) return storeTrust(context, call.signal, wanted, options)
  const isAccounts = wanted.kind === 'Secret' && wanted.metadata.name === accountsSecret
  return storeObject(context, wanted, isAccounts ? { ...options, keep: withStoredValues } : options)
}

/** Passwords, API keys and webhook secrets share one Secret: who changes one of them does not mean to remove the others. */
function withStoredValues(wanted: Resource, stored: Resource): Resource {
  const texts = Object.entries(wanted.stringData ?? {})
  const named = texts.map(([key, text]): [string, string] => [key, Buffer.from(text).toString('base64')])
  const { stringData: _texts, ...rest } = wanted
  return { ...rest, data: { ...stored.data, ...wanted.data, ...Object.fromEntries(named) } }
}

/** @throws InvalidInputError for what the gateway alone writes */
function refuseOwnObject({ kind, metadata }: Resource): void {
  if (['Secret', 'ConfigMap'].includes(kind) && ownObjects.has(metadata.name)) {
    throw new InvalidInputError(`${kind} ${metadata.name} is written by the gateway alone`)
  }
}

/** @throws InvalidInputError for a policy that cannot be read, with its lines */
function checkPolicy({ kind, metadata, data }: Resource): void {
  if (kind !== 'ConfigMap' || metadata.name !== policyConfigMap) return
  readPolicyConfig(data ?? {}, (key) => ({ source: `${policyConfigMap} ${key}`, firstLine: 1 }))
}

/** Returns true for a Secret with credentials that the services use, unlike those of clusters and for generators. */
function isRepositorySecret({ kind, metadata }: Resource): boolean {
  const type = metadata.labels?.[secretTypeLabel]
  return kind === 'Secret' && type !== undefined && !['cluster', 'scm-creds'].includes(type)
}

/** Hands repository credentials on; the outcome is `configured`, as whether values differ is known to their owner alone. */
async function applyRepositorySecret(
  context: GatewayContext,
  call: HandlerContext,
  secret: Resource,
  dryRun: boolean,
) {
  await putRepository(context, call, secret, { skipValidation: true, upsert: true, dryRun })
  const warnings = repositorySecretWarnings(readRepositorySecret(secret))
  return { resource: toStruct(withoutSecrets(secret)), outcome: 'configured', warnings }
}

/** Hands an ApplicationSet on as it came: appset-service checks it and the rights on what it generates. */
async function applyApplicationSet(
  { applicationSets }: GatewayContext,
  call: HandlerContext,
  sent: JsonObject | undefined,
  dryRun: boolean,
) {
  const request = { ...(sent && { applicationSet: sent }), upsert: true, dryRun }
  const { applicationSet, outcome, withheld, warnings } = await passOn(call, (options) =>
    applicationSets.applyApplicationSet(request, options),
  )
  return { resource: applicationSet ?? {}, outcome: reported(outcome), withheld, warnings }
}

/** Returns the parts of a Secret that may be shown: kubectl's annotation repeats its values, and a misspelt field may contain them. */
function withoutSecrets(resource: Resource): Resource {
  const { apiVersion, kind, metadata, type } = resource
  if (kind !== 'Secret') return resource
  const { 'kubectl.kubernetes.io/last-applied-configuration': _values, ...annotations } =
    metadata.annotations ?? {}
  const shown = { ...metadata, ...(metadata.annotations && { annotations }) }
  return { apiVersion, kind, metadata: shown, ...(type !== undefined && { type }) }
}
