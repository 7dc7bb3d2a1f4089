import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

const secret = (value: string) => `apiVersion: v1
kind: Secret
metadata:
  name: token
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"stringData":{"token":"${value}"}}'
stringData:
  token: ${value}
  same: unchanged-value
data:
  encoded: ${Buffer.from(value).toString('base64')}
`

test('a difference shows that a Secret changes, and neither value on either side', async () => {
  await using mesh = await startMeshFixture()
  const { fixture, address, token } = mesh
  const repository = await fixture.createRepository('masked', { 'masked/a.yaml': secret('old-canary-value') })
  const drySha = await repository.dry.head()
  await fixture.applyAndWait(drySha, {
    name: 'masked',
    repoURL: repository.url,
    branch: 'environments/masked',
  })
  await repository.push({ 'masked/a.yaml': secret('new-canary-value') })
  const environment = { WADI_SERVER: address, WADI_AUTH_TOKEN: token }
  const { stdout, stderr, code } = await runWadi(['app', 'diff', 'masked', '--revision', 'main'], {
    environment,
  })
  assert.equal(code, 1)
  assert.match(stdout, /^[-+] {2}token: \++$/m)
  for (const text of ['canary', 'unchanged-value', Buffer.from('new-canary-value').toString('base64')]) {
    assert.ok(!`${stdout}${stderr}`.includes(text), `${text} in ${stdout}`)
  }
  for (const source of ['hydrated', 'dry']) {
    const manifests = await runWadi(['app', 'manifests', 'masked', '--source', source], { environment })
    assert.doesNotMatch(manifests.stdout, /canary|unchanged-value|encoded: [^<]/)
    assert.match(manifests.stderr, /the values of Secrets are hidden; --show-secrets prints them/)
  }
  const shown = await runWadi(['app', 'manifests', 'masked', '--show-secrets'], { environment })
  assert.match(shown.stdout, /^ {2}token: old-canary-value$/m)
})
