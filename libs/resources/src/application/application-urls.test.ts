import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { checkedApplication } from './checked-application.ts'

const drySource = { repoURL: 'https://git.example.com/dry.git', targetRevision: 'main', path: 'apps/web' }
const syncSource = { targetBranch: 'env/dev', path: 'web' }
const destination = { server: 'https://cluster.example.com', namespace: 'web' }

function errorOf(spec: Record<string, unknown>): string {
  try {
    checkedApplication({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'web' },
      spec: { destination, ...spec },
    })
  } catch (error) {
    assert.ok(error instanceof InvalidInputError)
    return error.message.replace('Application web: ', '')
  }
  return ''
}

const hydrated = ({ dry = {}, sync = {} }: { dry?: object; sync?: object }): string =>
  errorOf({
    sourceHydrator: { drySource: { ...drySource, ...dry }, syncSource: { ...syncSource, ...sync } },
  })

const hostileUrls = [
  'ext::sh -c id',
  'fd::17',
  '--upload-pack=id',
  '-oProxyCommand=id',
  'ssh://-oProxyCommand=id/x',
  'ssh://git@-oProxyCommand=id/x',
  'git@-oProxyCommand=id:x',
  'git@host:-x',
  'https://host/a\nb',
  'https://host/a%0ab',
  'https://host/a b',
  'https://host',
  'https://host/',
  'https:///x',
  'https://host/x?a=b',
  'https://host/x#f',
  'https://ho st/x',
  'https://host:port/x',
  'https://host\\x/y',
  'ftp://host/x',
  'git://host/x',
  'javascript:alert(1)//x',
  'file://x',
  'data:text/plain,x',
  'nothing',
  `https://host/${'x'.repeat(2050)}`,
  'https://user:hunter2@host/x.git',
  'https://user:hun/ter2@host/x.git',
  'https://user:hun?ter2@host/x.git',
  'https://:hunter2@host/x.git',
  'https://ghp_hunter2@host/x.git',
  'ssh://git:hunter2@host/x.git',
  'user:hunter2@host/x.git',
]
for (const url of hostileUrls) {
  test(`the URL ${JSON.stringify(url.slice(0, 40))} is refused, and no password repeated`, () => {
    for (const message of [hydrated({ dry: { repoURL: url } }), hydrated({ sync: { repoURL: url } })]) {
      assert.match(message, /Source\.repoURL: /)
      assert.doesNotMatch(message, /hun|ter2/)
    }
  })
}

for (const url of [
  'https://org@dev.azure.com/org/p/_git/r',
  'https://git.example.com:8443/a/b',
  'ssh://git@host:22/x.git',
  'git@host:org/x.git',
  'https://[2001:db8::1]/x',
  'https://host/x@v1.git',
]) {
  test(`the URL ${url} is accepted`, () => assert.equal(hydrated({ dry: { repoURL: url } }), ''))
}

test('transports that the operator does not permit are refused', () => {
  const check = (repoURL: string) => () =>
    checkedApplication(
      {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        metadata: { name: 'web' },
        spec: { destination, sourceHydrator: { drySource: { ...drySource, repoURL }, syncSource } },
      },
      { allowFile: false, allowPlainHttp: 'loopback' },
    )
  assert.throws(check('file:///etc/passwd'), /repositories on disk are not enabled/)
  assert.throws(
    check('/etc/passwd'),
    /repositories on disk are not enabled; WADI_ALLOW_FILE_URLS=true enables them/,
  )
  assert.throws(check('http://git.example.com/x.git'), /plain http/)
  assert.doesNotThrow(check('http://127.0.0.1:3000/x.git'))
})

test('a plain source keeps its password out too', () => {
  const source = { repoURL: 'https://user:hunter2@charts.example.com/x', chart: 'redis' }
  assert.equal(
    errorOf({ source }),
    'spec.source.repoURL contains a password or a token; give the address without it',
  )
})
