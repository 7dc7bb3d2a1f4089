import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRepositories, secretObject } from '@wadi/repositories/repository-fixture.ts'
import { wayOutside } from './way-outside.ts'

const proxy = 'http://user:hunter2@proxy.internal:3128'

test('repositories of charts are reached as their Secrets say, and others beside them directly', async () => {
  await using opened = await openRepositories('read')
  const { repositories } = opened
  const store = (name: string, url: string, more: Record<string, string>) =>
    repositories.put(secretObject(name, { url, ...more }, 'repo-creds'))
  await store('a', 'https://charts.internal', { proxy, noProxy: '.example.com', tlsCaCertificate: 'own' })
  await store('b', 'registry.internal/team', { proxy, enableOCI: 'true' })
  const servers = [
    'https://charts.internal/stable',
    'oci://registry.internal/team/charts',
    'https://direct.internal',
    'https://charts.internal/more',
    '@alias',
  ]
  assert.deepEqual(await wayOutside(repositories, servers, ''), {
    proxies: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: 'direct.internal,.example.com' },
    authorities: 'own',
  })
  assert.deepEqual(await wayOutside(repositories, ['https://direct.internal'], ''), {
    proxies: {},
    authorities: '',
  })
  await store('c', 'https://other.internal', { proxy: 'http://other:1' })
  await assert.rejects(
    wayOutside(repositories, [...servers, 'https://other.internal'], ''),
    (error: Error) => {
      assert.match(
        error.message,
        /^charts\.internal and other\.internal are reached through different proxies/,
      )
      assert.doesNotMatch(error.message, /hunter2/)
      return true
    },
  )
})
