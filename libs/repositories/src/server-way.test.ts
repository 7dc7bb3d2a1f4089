import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { startConnectProxy } from '@wadi/testing/connect-proxy.ts'
import { makeSignedCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { appPrivateKey, startGitHub } from './github-fixture.ts'
import { openRepositories, secretObject } from './repository-fixture.ts'

const host = 'ghe.internal'
const url = `https://${host}/team/shop.git`
const app = { githubAppID: '42', githubAppInstallationID: '77', githubAppPrivateKey: appPrivateKey }

test(
  'a token of a GitHub App is requested through the proxy of its Secret, from a server of its authority',
  { skip: noOpenssl },
  async () => {
    await using opened = await openRepositories('read')
    const { repositories, scratch } = opened
    const files = makeSignedCertificate(scratch, host)
    await using github = await startGitHub({
      cert: await readFile(files.certificate),
      key: await readFile(files.key),
    })
    await using proxy = await startConnectProxy(Number(new URL(github.url).port), 'user:hunter2')
    const authority = await readFile(files.authority, 'utf8')
    const values = {
      ...app,
      url,
      githubAppEnterpriseBaseUrl: `https://${host}/api/v3`,
      proxy: `http://user:hunter2@${proxy.host}`,
    }
    await repositories.put(secretObject('shop', values))
    const failure = (): Promise<Error> =>
      repositories.credentialsFor(url, '').then(
        () => assert.fail('it is accepted'),
        (error: Error) => error,
      )
    const untrusted = await failure()
    assert.match(
      untrusted.message,
      /^Secret shop in namespace argocd: GitHub App 42: TLS failed for https:\/\/ghe\.internal: .*wadi cert add-tls ghe\.internal/,
    )
    await repositories.putTrust({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-tls-certs-cm' },
      data: { [host]: authority },
    })
    assert.equal((await repositories.credentialsFor(url, ''))?.password, 'installation-token-1')
    assert.deepEqual(proxy.requests, [`${host}:443 200`, `${host}:443 200`])
    await repositories.putTrust({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-tls-certs-cm' },
      data: {},
    })
    await repositories.put(secretObject('shop', { ...values, tlsCaCertificate: authority }))
    assert.equal((await repositories.credentialsFor(url, ''))?.password, 'installation-token-2')
    proxy.refusal = 403
    await repositories.put(secretObject('shop', { ...values, proxy: `${values.proxy}/` }))
    const refused = await failure()
    assert.match(
      refused.message,
      /GitHub App 42: https:\/\/ghe\.internal cannot be reached: its proxy answers 403/,
    )
    assert.doesNotMatch(`${refused.message} ${untrusted.message} ${String(refused.cause)}`, /hunter2/)
  },
)

test('a server beside a repository gets its proxy, the client certificate on the same host alone', async () => {
  await using opened = await openRepositories('read')
  const { repositories } = opened
  await repositories.put(
    secretObject('shop', {
      url,
      password: 'p',
      tlsCaCertificate: 'own',
      tlsClientCertData: 'certificate',
      tlsClientCertKey: 'key',
      proxy: 'http://proxy.internal:3128',
      noProxy: 'example.com',
    }),
  )
  const way = { proxy: 'http://proxy.internal:3128', noProxy: 'example.com' }
  const client = { tlsClientCertificate: 'certificate', tlsClientKey: 'key' }
  assert.deepEqual(await repositories.wayFor(`https://${host}/api/v3/`, url, ''), {
    ...way,
    ...client,
    tlsCaCertificate: 'own',
  })
  const api = 'https://api.ghe.internal/'
  assert.deepEqual(await repositories.wayFor(api, url, ''), { ...way, tlsCaCertificate: 'own' })
  assert.deepEqual(await repositories.wayFor(api, 'https://elsewhere.internal/team/shop', ''), {})
})
