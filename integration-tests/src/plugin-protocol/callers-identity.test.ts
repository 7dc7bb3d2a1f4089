import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { credentials, status } from '@grpc/grpc-js'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { ArgocdClient } from './argocd-client-fixture.ts'
import { archiveRequests, readConfiguration, readManifests } from './argocd-messages-fixture.ts'
import { type CmpServerFixture, startCmpServerFixture, startSidecarFixture } from './cmp-server-fixture.ts'
import { directory, goArchive } from './go-tar-fixture.ts'
import { wireFields, wireMessage } from './protobuf-wire-fixture.ts'

const plugin = `
apiVersion: argoproj.io/v1alpha1
kind: ConfigManagementPlugin
metadata: {name: copy}
spec: {generate: {command: [cat, app.yaml]}, discover: {fileName: app.yaml}}
`
const manifest = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"made"}}'
const requests = archiveRequests(goArchive([directory('.'), { name: 'app.yaml', content: manifest }]))
const reflection = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'
const healthCheck = '/grpc.health.v1.Health/Check'
const serving = wireMessage([1, 1])

async function assertServed(client: ArgocdClient): Promise<void> {
  const configuration = readConfiguration(await client.unary('CheckPluginConfiguration'))
  assert.equal(configuration.isDiscoveryConfigured, true)
  assert.deepEqual(readManifests(await client.upload('GenerateManifest', requests)).manifests, [manifest])
}

async function assertAnonymous(client: ArgocdClient, server: CmpServerFixture): Promise<void> {
  const rejection = { code: status.UNAUTHENTICATED }
  await assert.rejects(client.unary('CheckPluginConfiguration'), rejection)
  await assert.rejects(client.upload('GenerateManifest', requests), rejection)
  await assert.rejects(client.upload('MatchRepository', requests), rejection)
  await assert.rejects(client.upload('GetParametersAnnouncement', requests), rejection)
  await assert.rejects(client.exchange(reflection, wireMessage([7, '*'])), rejection)
  assert.deepEqual(await server.leftOvers(), [])
}

test('on a socket of its own, health and reflection answer any caller', async () => {
  await using sidecar = await startSidecarFixture(plugin)
  assert.deepEqual(await sidecar.client.unary(healthCheck), serving)
  const list = wireFields(await sidecar.client.exchange(reflection, wireMessage([7, '*'])))
  const [, services] = list.find(([number]) => number === 6) ?? []
  assert.ok(Buffer.isBuffer(services))
  const names = wireFields(services).map(([, service]) => service.toString().slice(2))
  assert.deepEqual(names.toSorted(), [
    'grpc.health.v1.Health',
    'grpc.reflection.v1.ServerReflection',
    'plugin.ConfigManagementPluginService',
    'wadi.cmp_server.v1.CommandService',
  ])
  await assert.rejects(sidecar.client.unary('NoSuchMethod'), { code: status.UNIMPLEMENTED })
})

test('over TCP a caller needs the token of a service, made for cmp-server', async () => {
  await using server = await startCmpServerFixture(plugin, () => ['--listen', '127.0.0.1:0'])
  const address = server.address.replace('http://', '')
  const identity = createServiceIdentity({
    key: await loadServiceKey(server.keyFile),
    service: 'repo-server',
  })
  const withToken = async (audience: string) => ({
    headers: { authorization: `Bearer ${await identity.token(audience)}` },
  })
  using known = new ArgocdClient(address, await withToken('cmp-server'))
  await assertServed(known)
  using unknown = new ArgocdClient(address)
  assert.deepEqual(await unknown.unary(healthCheck), serving)
  await assertAnonymous(unknown, server)
  using elsewhere = new ArgocdClient(address, await withToken('commit-server'))
  await assertAnonymous(elsewhere, server)
})

test('a socket that was not opened to all asks for the token too', async () => {
  await using server = await startCmpServerFixture(plugin, (place) => ['--listen', `unix:${place}/`])
  using unknown = new ArgocdClient(server.address)
  await assertAnonymous(unknown, server)
})

const noOpenssl = spawnSync('openssl', ['version']).status !== 0 && 'openssl is not installed'

test(
  'over TLS the certificate of a service is its identity and no certificate is none',
  { skip: noOpenssl },
  async () => {
    await using server = await startCmpServerFixture(plugin, async (place) => {
      makeAuthority(place)
      await issueCertificate(place, 'server', 'DNS:localhost')
      await issueCertificate(place, 'repo-server', 'DNS:wadi-repo-server')
      await issueCertificate(place, 'outsider', 'DNS:outsider')
      const file = (name: string) => path.join(place, name)
      const tls = ['--tls-cert-file', file('server.crt'), '--tls-key-file', file('server.key')]
      return ['--listen', '127.0.0.1:0', ...tls, '--tls-ca-file', file('authority.crt')]
    })
    const address = `localhost:${new URL(server.address).port}`
    const pem = (name: string) => readFile(path.join(server.directory, name))
    const authority = await pem('authority.crt')
    const certified = async (name: string) => ({
      credentials: credentials.createSsl(authority, await pem(`${name}.key`), await pem(`${name}.crt`)),
    })
    using known = new ArgocdClient(address, await certified('repo-server'))
    await assertServed(known)
    using anonymous = new ArgocdClient(address, await certified('outsider'))
    await assertAnonymous(anonymous, server)
    using nameless = new ArgocdClient(address, { credentials: credentials.createSsl(authority) })
    await assertAnonymous(nameless, server)
    using plain = new ArgocdClient(address)
    await assert.rejects(plain.unary('CheckPluginConfiguration'), { code: status.UNAVAILABLE })
  },
)

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

function makeAuthority(place: string): void {
  const out = ['-keyout', 'authority.key', '-out', 'authority.crt']
  openssl(place, ['req', '-x509', ...newKey, '-days', '1', '-subj', '/CN=authority', ...out])
}

async function issueCertificate(place: string, name: string, subjectAltName: string): Promise<void> {
  openssl(place, ['req', ...newKey, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`])
  await writeFile(path.join(place, `${name}.ext`), `subjectAltName=${subjectAltName}\n`)
  const signer = ['-CA', 'authority.crt', '-CAkey', 'authority.key', '-CAcreateserial', '-days', '1']
  const out = ['-extfile', `${name}.ext`, '-out', `${name}.crt`]
  openssl(place, ['x509', '-req', '-in', `${name}.csr`, ...signer, ...out])
}

function openssl(place: string, args: readonly string[]): void {
  execFileSync('openssl', args, { cwd: place, stdio: 'ignore' })
}
