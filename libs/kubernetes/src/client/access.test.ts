import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import type { PlaneAccess } from '@wadi/testing/kubernetes-plane/plane-access.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { sharedKubernetesPlane } from '@wadi/testing/kubernetes-plane/shared-plane.ts'
import { until } from '@wadi/testing/until.ts'
import { fileToken } from '../config/file-token.ts'
import { kubeconfig } from '../config/kubeconfig.ts'
import { Informer } from '../informer/informer.ts'
import { secrets } from '../object-fixture.ts'
import { KubernetesClient } from './kubernetes-client.ts'

suite('access to a real API server', { skip: planeMissing() ?? false }, () => {
  let plane: PlaneAccess
  let namespace: string
  before(async () => {
    plane = await sharedKubernetesPlane()
    namespace = `test-${randomUUID().slice(0, 8)}`
    await plane.create('/api/v1/namespaces', { metadata: { name: namespace } })
  })

  const clientWith = (token: string, { ca, server }: { ca?: string; server: string } = plane) =>
    new KubernetesClient({
      server,
      namespace: undefined,
      tls: async () => (ca === undefined ? {} : { ca }),
      bearerToken: async () => token,
    })

  /** Lets a service account do something with Secrets, those of some names alone if they are given. */
  async function allowSecrets(account: string, verbs: readonly string[], resourceNames?: readonly string[]) {
    const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`
    const rules = [
      { apiGroups: [''], resources: ['secrets'], verbs, ...(resourceNames && { resourceNames }) },
    ]
    await plane.create(`${roles}/roles`, { metadata: { name: account }, rules })
    await plane.create(`${roles}/rolebindings`, {
      metadata: { name: account },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: account },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
    })
  }

  test('an account without a role learns what it may not do', async () => {
    await using client = clientWith(await plane.accountToken(namespace, 'nobody'))
    await assert.rejects(client.list(secrets, { namespace }), {
      name: 'PermissionDeniedError',
      message: `secrets is forbidden: User "system:serviceaccount:${namespace}:nobody" cannot list resource "secrets" in API group "" in the namespace "${namespace}"; bind a role that allows it`,
    })
  })

  test('an account that may see one Secret follows that one by its name, and no list of all', async () => {
    await allowSecrets('one', ['get', 'list', 'watch'], ['keys'])
    await plane.create(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: 'keys' } })
    await using client = clientWith(await plane.accountToken(namespace, 'one'))
    const keys = { namespace, name: 'keys' }
    await until(() =>
      client.get(secrets, keys).then(
        () => true,
        () => false,
      ),
    )
    await using informer = new Informer({
      client,
      resource: secrets,
      namespaces: [namespace],
      fieldSelector: 'metadata.name=keys',
      project: ({ metadata }) => metadata.name,
      onError: () => undefined,
    })
    await informer.synced()
    assert.deepEqual(informer.list(), ['keys'])
    await assert.rejects(client.list(secrets, { namespace }), { name: 'PermissionDeniedError' })
    await assert.rejects(client.get(secrets, { namespace, name: 'other' }), { name: 'PermissionDeniedError' })
  })

  test('a token for somebody else, a wrong one and none are rejected', async () => {
    const forOthers = await plane.accountToken(namespace, 'nobody', ['wadi-repo-server'])
    for (const token of [forOthers, 'wrong']) {
      await using client = clientWith(token)
      await assert.rejects(client.list(secrets, { namespace }), { name: 'UnauthenticatedError' })
    }
  })

  test('after a token was refused, the next request has the one that is in its file now', async () => {
    await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-token-'))
    const file = path.join(directory.path, 'token')
    const read = fileToken(file)
    await writeFile(file, await plane.accountToken(namespace, 'renewed'))
    await read()
    // Its tokens end with an account.
    const account = `/api/v1/namespaces/${namespace}/serviceaccounts/renewed`
    assert.equal((await plane.ask('DELETE', account)).status, 200)
    await using client = new KubernetesClient({
      server: plane.server,
      namespace: undefined,
      tls: async () => ({ ca: plane.ca }),
      bearerToken: read,
    })
    await assert.rejects(client.accountIssuer(), { name: 'UnauthenticatedError' })
    await writeFile(file, await plane.accountToken(namespace, 'renewed'))
    assert.ok((await client.accountIssuer()).keys.length > 0)
  })

  test('the kubeconfig of the cluster is understood', async () => {
    await using client = new KubernetesClient(await kubeconfig(plane.kubeconfig))
    const { items } = await client.list(
      { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' },
      { fieldSelector: `metadata.name=${namespace}` },
    )
    assert.equal(items.length, 1)
  })

  test('a server that the CA does not know, or of another name, gets no request', async () => {
    await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-ca-'))
    const file = path.join(directory.path, 'ca.crt')
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const names = [
      '-days',
      '1',
      '-subj',
      '/CN=test-ca',
      '-keyout',
      path.join(directory.path, 'key'),
      '-out',
      file,
    ]
    await promisify(execFile)('openssl', [...request, ...names])
    const otherCa = await readFile(file, 'utf8')
    const otherName = plane.server.replace('127.0.0.1', '[::ffff:127.0.0.1]')
    for (const [where, reason] of [
      [{ server: plane.server }, /unable to verify the first certificate/],
      [{ ca: otherCa, server: plane.server }, /unable to verify the first certificate/],
      [{ ca: plane.ca, server: otherName }, /does not match certificate's altnames/],
    ] as const) {
      await using client = clientWith(plane.adminToken, where)
      await assert.rejects(client.list(secrets, { namespace }), { name: 'UnavailableError', message: reason })
    }
  })
})
