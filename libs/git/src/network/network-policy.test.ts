import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRepositoryUrl } from '../remote/repository-url.ts'
import { createNetworkPolicy, hostAndPort } from './network-policy.ts'

const urlPolicy = { allowFile: true, allowPlainHttp: 'always' } as const

const addresses = new Map([
  ['github.example', ['140.82.112.5', '2606:50c0:8000::153']],
  ['git.internal', ['10.1.2.3']],
  ['rebinding.example', ['140.82.112.5', '127.0.0.1']],
  ['2130706433', ['127.0.0.1']],
])

async function find(host: string) {
  const found = addresses.get(host)
  if (!found)
    throw Object.assign(new Error(host), { code: host === 'flaky.example' ? 'EAI_AGAIN' : 'ENOTFOUND' })
  return found.map((address) => ({ address }))
}

function addressesOf(url: string, allowed: string[] = [], isNamed = false) {
  return createNetworkPolicy(allowed, find).addressesOf(parseRepositoryUrl(url, urlPolicy), isNamed)
}

test('a public host may be connected to, at the addresses that were checked', async () => {
  assert.deepEqual(await addressesOf('https://github.example/a/b.git'), [
    '140.82.112.5',
    '2606:50c0:8000::153',
  ])
  assert.deepEqual(await addressesOf('https://140.82.112.5/a/b.git'), [])
})

for (const url of [
  'http://127.0.0.1:8080/a.git',
  'https://[::1]/a.git',
  'https://[::ffff:7f00:1]/a.git',
  'https://169.254.169.254/latest/meta-data',
  'ssh://git@192.168.0.1:22/a.git',
  'git@10.0.0.1:a.git',
  'https://git.internal/a.git',
  'https://rebinding.example/a.git',
  'https://2130706433/a.git',
  'https://nowhere.example/a.git',
]) {
  test(`${url} is refused, with the same message for every host`, async () => {
    const host = parseRepositoryUrl(url, urlPolicy).host
    await assert.rejects(addressesOf(url), {
      name: 'PermissionDeniedError',
      message:
        `the host ${host} has no public address: check its name; for one in a private network an operator stores ` +
        'the repository or credentials for its host (wadi repo add), or lists the network in WADI_ALLOWED_NETWORKS',
    })
  })
}

test('a host that an operator stored or listed may be in a private network', async () => {
  assert.deepEqual(await addressesOf('https://git.internal/a.git', [], true), [])
  assert.deepEqual(await addressesOf('https://git.internal/a.git', ['10.1.0.0/16']), ['10.1.2.3'])
  assert.deepEqual(await addressesOf('https://git.internal/a.git', ['GIT.internal']), [])
  assert.deepEqual(await addressesOf('https://git.internal/a.git', ['*.internal']), [])
  assert.deepEqual(await addressesOf('https://[fd00::1]/a.git', ['fd00::/8']), [])
  assert.deepEqual(await addressesOf('file:///srv/a.git'), [])
  for (const other of ['10.2.0.0/16', 'internal', '*.git.internal', 'fd00::/8']) {
    await assert.rejects(addressesOf('https://git.internal/a.git', [other]), {
      name: 'PermissionDeniedError',
    })
  }
})

test('a name that cannot be looked up at this time may be tried again', async () => {
  await assert.rejects(addressesOf('https://flaky.example/a.git'), { name: 'UnavailableError' })
})

test('an entry that is not a network and no host is refused by its name', () => {
  for (const entry of ['10.0.0.0/33', '10.0.0.0/8/8', 'https://git.internal', 'a b', '*', '/8']) {
    assert.throws(() => createNetworkPolicy([entry]), {
      message: `allowed networks: ${JSON.stringify(entry)} is neither a network such as 10.1.0.0/16 nor the name of a host`,
    })
  }
})

for (const [url, expected] of [
  ['https://git.example/a.git', 'git.example:443'],
  ['http://git.example:3000/a.git', 'git.example:3000'],
  ['ssh://git@git.example:2222/a.git', 'git.example:2222'],
  ['git@git.example:a.git', 'git.example:22'],
  ['https://[2001:db8::1]:8443/a.git', '2001:db8::1:8443'],
] as const) {
  test(`${url} is at ${expected}`, () => {
    const { host, port } = hostAndPort(parseRepositoryUrl(url, urlPolicy))
    assert.equal(`${host}:${port}`, expected)
  })
}
