import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { sharedKubernetesPlane } from '@wadi/testing/kubernetes-plane/shared-plane.ts'
import { renderChart } from './chart.ts'
import { listOf, openNamespaces } from './cluster-namespaces-fixture.ts'
import { readObjects } from './kubernetes-objects-fixture.ts'

/** The Secrets that make whoever reads or writes them an operator or another user. */
const guarded = ['wadi-secrets', 'argocd-secret', 'wadi-session-keys', 'argocd-initial-admin-secret']

const services = ['hydrator', 'repo-server', 'commit-server', 'appset-service', 'cmp-server', 'redis']
const refused = 403

/** Asks the API server with the token of a service's account, and returns the status. */
type Ask = (service: string, method: string, path: string, body?: object) => Promise<number>

/** The chart's accounts and roles, and Secrets of sign-in and of a repository where the chart expects them. */
async function openRelease() {
  const { kubectl, namespace, readNamespace, writeNamespace, values } = await openNamespaces()
  const plane = await sharedKubernetesPlane()
  const text = await renderChart({ namespace, set: ['cmpServer.enabled=true', ...values] })
  const access = readObjects(text, namespace).filter(({ kind }) => /^(?:ServiceAccount|Role.*)$/.test(kind))
  const secret = (name: string, place: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: place },
    stringData: { key: 'value' },
  })
  const secrets = [
    ...guarded.map((name) => secret(name, namespace)),
    secret('repository', readNamespace),
    secret('writer', writeNamespace),
  ]
  await kubectl(['apply', '--filename=-'], listOf([...access, ...secrets]))
  const tokens = new Map<string, string>()
  const ask: Ask = async (service, method, path, body) => {
    const token = tokens.get(service) ?? (await plane.accountToken(namespace, `wadi-${service}`))
    tokens.set(service, token)
    const sent = body && { type: bodyTypes[method] ?? 'application/json', text: JSON.stringify(body) }
    return (await plane.askAs(token, method, path, sent)).status
  }
  return { ask, namespace, readNamespace, writeNamespace }
}

const bodyTypes: Readonly<Record<string, string>> = { PATCH: 'application/merge-patch+json' }

suite('with the token of its account, a service', { skip: planeMissing() ?? false }, () => {
  test('other than the gateway neither reads nor writes what makes one an operator', async () => {
    const { ask, namespace } = await openRelease()
    const secrets = `/api/v1/namespaces/${namespace}/secrets`
    const accountToken = {
      type: 'kubernetes.io/service-account-token',
      metadata: { name: 'stolen', annotations: { 'kubernetes.io/service-account.name': 'wadi-api-gateway' } },
    }
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`
    for (const service of services) {
      const allowed: string[] = []
      const tryTo = async (method: string, path: string, body?: object) => {
        const status = await ask(service, method, path, body)
        if (status !== refused) allowed.push(`${method} ${path}: ${status}`)
      }
      await tryTo('GET', secrets)
      await tryTo('GET', `${secrets}?watch=true&timeoutSeconds=1`)
      await tryTo('GET', '/api/v1/secrets')
      for (const name of guarded) {
        await tryTo('GET', `${secrets}/${name}`)
        await tryTo('PATCH', `${secrets}/${name}`, { stringData: { key: 'other' } })
        await tryTo('PUT', `${secrets}/${name}`, { metadata: { name } })
        await tryTo('DELETE', `${secrets}/${name}`)
      }
      // Ways to the same by what the API server gives out: a token of the gateway, and a pod with the Secret in it.
      await tryTo('POST', secrets, accountToken)
      await tryTo('POST', `${accounts}/wadi-api-gateway/token`, { spec: {} })
      await tryTo('POST', `/api/v1/namespaces/${namespace}/pods`, { metadata: { name: 'mine' } })
      await tryTo('POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`, {})
      assert.deepEqual(allowed, [], service)
    }
    for (const name of guarded) assert.equal(await ask('api-gateway', 'GET', `${secrets}/${name}`), 200)
  })

  test('reads the credentials that it needs, and no other', async () => {
    const { ask, readNamespace, writeNamespace } = await openRelease()
    const readers: string[] = []
    const writers: string[] = []
    for (const service of ['api-gateway', ...services]) {
      const read = await ask(service, 'GET', `/api/v1/namespaces/${readNamespace}/secrets`)
      const write = await ask(service, 'GET', `/api/v1/namespaces/${writeNamespace}/secrets`)
      if (read === 200) readers.push(service)
      if (write === 200) writers.push(service)
    }
    assert.deepEqual(readers, ['api-gateway', 'hydrator', 'repo-server', 'appset-service'])
    assert.deepEqual(writers, ['commit-server'])
  })
})
