import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

const secret = (value: string) =>
  `apiVersion: v1\ndata:\n  token: ${value}\nkind: Secret\nmetadata:\n  name: token\n`

test('the values of Secrets are hidden, which a warning says, and are asked for with a flag', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  gateway.applications.set('web', sampleApplication('web', { phase: 'Hydrated', dry: '1' }))
  let mayRead = true
  gateway.manifests = ({ plainSecrets }) =>
    plainSecrets && mayRead
      ? { manifest: secret('b2xk') }
      : { manifest: secret('<hidden 0123456789>'), hiddenSecrets: 1 }
  const hidden = await runWadi(['app', 'manifests', 'web'], { environment })
  assert.equal(hidden.stdout, secret('<hidden 0123456789>'))
  assert.match(hidden.stderr, /the values of Secrets are hidden; --show-secrets prints them/)
  const shown = await runWadi(['app', 'manifests', 'web', '--show-secrets'], { environment })
  assert.deepEqual([shown.stdout, shown.stderr, shown.code], [secret('b2xk'), '', 0])
  mayRead = false
  const refused = await runWadi(['app', 'manifests', 'web', '--show-secrets'], { environment })
  assert.deepEqual([refused.stdout, refused.code], ['', 20])
  assert.match(refused.stderr, /the values of Secrets need the right secrets, get to application web/)
})
