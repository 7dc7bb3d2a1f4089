import assert from 'node:assert/strict'
import { test } from 'node:test'
import packageFile from '../../package.json' with { type: 'json' }
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

test('version shows the command line and the server', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  const short = await runWadi(['version', '--short'], { environment })
  assert.equal(short.stdout, `wadi: v${packageFile.version}\nwadi-server: v0.1.0\n`)
  const client = await runWadi(['version', '--client', '--short'])
  assert.equal(client.stdout, `wadi: v${packageFile.version}\n`)
})

test('history has the columns of argocd and shows no control character of a commit', async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set('guestbook', sampleApplication('guestbook', { phase: 'Hydrated', dry: '2' }))
  const { stdout } = await runWadi(['app', 'history', 'guestbook'], { environment: gateway.environment })
  assert.equal(
    stdout,
    String.raw`SOURCE  https://git.example.com/deploy.git
ID       DATE                           REVISION        AUTHOR                 SUBJECT
bbbbbbb  2026-08-21 10:00:00 +0000 UTC  main (2222222)  Ada <ada@example.com>  Raise replicas\x1b[2J
aaaaaaa  2026-08-20 10:00:00 +0000 UTC                  Bo <bo@example.com>    Fix
`,
  )
})
