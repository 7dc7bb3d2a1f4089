import { policyConfigMap } from '@wadi/rbac/decide/live-policy.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { HandlerContext } from '@connectrpc/connect'
import { until } from '@wadi/testing/until.ts'
import { administrator, type Caller } from '../authentication/caller.ts'
import type { GatewayContext } from '../context.ts'
import { callContext } from '../gateway-fixture.ts'

/** A call by a user whom only the policy speaks for. */
export function callBy(name: string, groups: string[] = [], signal?: AbortSignal): HandlerContext {
  const caller: Caller = { ...administrator, subject: { sub: name, groups }, username: name }
  return callContext(signal, caller)
}

/** Stores lines of a policy, for example `p, ada, applications, get, dev/*, allow`, and waits until they apply. */
export async function storePolicy(context: GatewayContext, ...lines: string[]): Promise<void> {
  await storeAndWait(context, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: policyConfigMap, namespace: controlPlaneNamespace },
    data: { 'policy.csv': lines.join('\n') },
  })
}

/** Stores a project, which permits every source, destination and namespace by default. */
export async function storeProject(
  context: GatewayContext,
  name: string,
  spec: Record<string, unknown> = {},
): Promise<void> {
  await storeAndWait(context, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace: controlPlaneNamespace },
    spec: {
      sourceRepos: ['*'],
      sourceNamespaces: ['*'],
      destinations: [{ server: '*', name: '*', namespace: '*' }],
      ...spec,
    },
  })
}

/** The policy follows the store, so it knows of a change a little later. */
async function storeAndWait({ store, policy }: GatewayContext, wanted: Resource): Promise<void> {
  const before = policy.enforcer
  const stored = await store.get(wanted.kind, controlPlaneNamespace, wanted.metadata.name)
  await (stored ? store.update({ ...wanted, metadata: stored.metadata }) : store.create(wanted))
  await until(() => policy.enforcer !== before)
}
