import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { ForgeClient } from '@wadi/forges/forge-client.ts'
import { someRepositories } from '@wadi/forges/forge-data-fixture.ts'
import { startGitea } from '@wadi/forges/gitea/gitea-fixture.ts'
import { openRepositories, secretObject } from '@wadi/repositories/repository-fixture.ts'
import { startConnectProxy } from '@wadi/testing/connect-proxy.ts'
import { makeSignedCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { useForge } from './use-forge.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const host = 'forge.internal'
const repoUrl = `https://${host}/acme/shop.git`

test(
  'the API of a forge is reached through the proxy of the write credentials, with what is trusted of its host',
  { skip: noOpenssl },
  async () => {
    await using opened = await openRepositories('write')
    const { repositories, scratch } = opened
    const files = makeSignedCertificate(scratch, host)
    const read = (file: string): Promise<string> => readFile(file, 'utf8')
    const tls = { cert: await read(files.certificate), key: await read(files.key) }
    await using server = await startGitea('acme', someRepositories(), { tls })
    await using proxy = await startConnectProxy(Number(new URL(server.address).port), 'user:hunter2')
    const forges = new ForgeClient({ waitMs: 0, answerMs: 20_000 })
    const store = (more: Record<string, string>) =>
      repositories.put(
        secretObject('shop', { url: repoUrl, password: 'p', forge: 'gitea', ...more }, 'repository-write'),
      )
    const ask = async () => {
      const { forge } = await useForge(
        { repositories, forges },
        { repoUrl, project: '' },
        AbortSignal.timeout(hangLimitMs),
      )
      return forge.visibility()
    }
    const through = `http://user:hunter2@${proxy.host}`
    await store({ proxy: through })
    await assert.rejects(
      ask(),
      /TLS failed for https:\/\/forge\.internal: .*wadi cert add-tls forge\.internal/,
    )
    await store({ proxy: through, tlsCaCertificate: await read(files.authority) })
    await ask()
    await store({ proxy: through })
    await repositories.putTrust({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-tls-certs-cm' },
      data: { [host]: await read(files.authority) },
    })
    await ask()
    assert.equal(server.log.length, 2)
    assert.ok(proxy.requests.every((line) => line === `${host}:443 200`))
    await store({})
    await assert.rejects(ask(), /forge\.internal/)
    assert.equal(server.log.length, 2)
  },
)
