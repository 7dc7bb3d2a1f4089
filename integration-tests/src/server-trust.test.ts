import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { startRegistry } from '@wadi/charts/registry-fixture.ts'
import { startChartServer } from '@wadi/charts/chart-server-fixture.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { sshServerAvailable, startGitSshServer } from '@wadi/testing/git-ssh-server.ts'
import { makeSignedCertificate, noOpenssl, type SignedCertificate } from '@wadi/testing/tls-certificate.ts'
import { meshOfFile } from './mesh-fixture.ts'

const mesh = await meshOfFile()

async function applyMap(name: string, data: Record<string, string>): Promise<void> {
  const resource: JsonObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'argocd' },
    data,
  }
  await mesh.fixture.gateway.resources.applyResource({ resource })
}

async function add(repoUrl: string, more: Record<string, unknown> = {}): Promise<void> {
  await mesh.fixture.gateway.repositories.createRepository({ repoUrl, upsert: true, ...more })
}

async function tlsFiles(files: SignedCertificate): Promise<{ cert: Buffer; key: Buffer }> {
  return { cert: await readFile(files.certificate), key: await readFile(files.key) }
}

test(
  'argocd-tls-certs-cm names the authority of a host, for git to read and to write and for charts',
  { skip: noOpenssl },
  async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-trust-'))
    const files = makeSignedCertificate(directory.path, 'localhost')
    const tls = await tlsFiles(files)
    await using git = await startGitHttpServer({ tls })
    await git.createRepository('a.git')
    await using charts = createServer(tls, (request, response) => {
      response.writeHead(request.url?.startsWith('/v2/') ? 401 : 200, {
        'www-authenticate': `Basic realm="charts"`,
      })
      response.end('apiVersion: v1\nentries: {}\n')
    })
    charts.listen(0, '127.0.0.1')
    await once(charts, 'listening')
    const chartsUrl = `localhost:${(charts.address() as AddressInfo).port}`
    const gitUrl = `${git.url.replace('127.0.0.1', 'localhost')}/a.git`
    const attempts = [
      () => add(gitUrl),
      () => add(gitUrl, { write: true }),
      () => add(`https://${chartsUrl}`, { type: 'helm' }),
    ]
    const all = async (expected: RegExp | undefined): Promise<void> => {
      for (const attempt of attempts) {
        if (expected) await assert.rejects(attempt(), expected)
        else await attempt()
      }
    }
    await all(/TLS failed for https:\/\/localhost.*argocd-tls-certs-cm/)
    await applyMap('argocd-tls-certs-cm', { 'other.example.com': await readFile(files.authority, 'utf8') })
    await all(/TLS failed/)
    await applyMap('argocd-tls-certs-cm', { LocalHost: await readFile(files.authority, 'utf8') })
    await all(undefined)
    await mesh.fixture.gateway.repositories.deleteRepository({ repoUrl: gitUrl })
    await applyMap('argocd-tls-certs-cm', {})
    await all(/TLS failed/)
    await add(gitUrl, { tlsCaCertificate: await readFile(files.authority, 'utf8') })
  },
)

test(
  'argocd-ssh-known-hosts-cm has the keys of ssh servers, and a key that changed is refused',
  { skip: sshServerAvailable() ? false : 'no sshd on this machine' },
  async () => {
    await using server = await startGitSshServer()
    await using other = await startGitSshServer()
    const { url } = await server.createRepository('a.git')
    const login = { sshPrivateKey: server.privateKey }
    await assert.rejects(add(url, login), /host key verification failed .*no key of this server is known/)
    const foreign = /ssh-ed25519 (\S+)/.exec(other.knownHosts)?.[1] ?? ''
    const changed = server.knownHosts.replace(/(ssh-ed25519 )\S+/, `$1${foreign}`)
    await applyMap('argocd-ssh-known-hosts-cm', { ssh_known_hosts: `# servers\n${changed}` })
    await assert.rejects(
      add(url, login),
      /host key verification failed for ssh:.*it shows the ED25519 key SHA256:\S+, line 2 of the known hosts has another/,
    )
    await applyMap('argocd-ssh-known-hosts-cm', { ssh_known_hosts: server.knownHosts })
    await add(url, login)
    await add(url, { ...login, write: true })
  },
)

test('what cannot be used is refused with its place, and nothing of it is stored', async () => {
  const half = '-----BEGIN CERTIFICATE-----\nabc\n'
  await assert.rejects(
    applyMap('argocd-tls-certs-cm', { 'git.example.com': half }),
    /ConfigMap argocd-tls-certs-cm: data\["git\.example\.com"\]: must have whole certificates/,
  )
  await assert.rejects(applyMap('argocd-tls-certs-cm', { a: 'text' }), /data\["a"\]: has no certificate/)
  await assert.rejects(
    applyMap('argocd-ssh-known-hosts-cm', { ssh_known_hosts: 'git.example.com ssh-ed25519 AAAA\nbroken\n' }),
    /data\["ssh_known_hosts"\]: line 2 is not a host with its key/,
  )
  await assert.rejects(
    applyMap('argocd-ssh-known-hosts-cm', { known: '' }),
    /is unknown; expected ssh_known_hosts/,
  )
})

test('a repository of charts is reached with its password when it is added, and an error says what to correct', async () => {
  await using helm = await startChartServer({ users: { ci: 'right' } })
  await using registry = await startRegistry({ users: { ci: 'right' } })
  const chartsOf = { type: 'helm', username: 'ci' }
  for (const more of [{ repoUrl: helm.url }, { repoUrl: `${registry.host}/charts`, enableOci: true }]) {
    const { repoUrl, ...rest } = more
    await assert.rejects(add(repoUrl, { ...chartsOf, ...rest, password: 'wrong' }), (error: Error) => {
      assert.match(error.message, /correct the credentials that were given/)
      assert.doesNotMatch(error.message, /wrong/)
      return true
    })
    const { repositories } = await mesh.fixture.gateway.repositories.listRepositories({})
    assert.ok(!repositories.some((stored) => stored.repoUrl === repoUrl), 'it is not stored')
    await add(repoUrl, { ...chartsOf, ...rest, password: 'wrong', skipValidation: true })
    await add(repoUrl, { ...chartsOf, ...rest, password: 'right' })
  }
})
