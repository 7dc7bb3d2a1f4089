import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { forgeToken } from '@wadi/forges/forge-server-fixture.ts'

/** The reference by which generators get a token that the forges of tests accept. */
export const tokenRef = { secretName: 'forge', key: 'token' }

/** Stores the Secret that `tokenRef` names. */
export async function addForgeSecret(
  store: ResourceStore,
  { label = 'scm-creds', token = forgeToken, name = 'forge' } = {},
): Promise<void> {
  await store.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': label } },
    stringData: { token: `${token}\n` },
  })
}
