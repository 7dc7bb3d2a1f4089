import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCommandServer } from '../commands/command-server-fixture.ts'

const printsVersion = '#!/bin/sh\necho "ytt version 0.1.2"\n'

test('a service without a plugin is ready when it has ytt', async () => {
  await using mesh = await startCommandServer({ ytt: printsVersion })
  const { runsScripts, scriptsRefusedBecause, yttVersion } = await mesh.client.describeCommands({})
  assert.deepEqual([runsScripts, yttVersion], [false, 'ytt version 0.1.2'])
  assert.match(scriptsRefusedBecause, /^scripts are not allowed here; start cmp-server with --run-scripts/)
  assert.equal((await fetch(`${mesh.server.address}/readyz`)).status, 200)
})

test('a service without a plugin is ready when it runs scripts', async () => {
  await using mesh = await startCommandServer({ flags: ['--run-scripts', 'allow-shared-network'] })
  const { runsScripts, scriptsRefusedBecause, yttVersion } = await mesh.client.describeCommands({})
  assert.deepEqual([runsScripts, scriptsRefusedBecause, yttVersion], [true, '', ''])
  assert.equal((await fetch(`${mesh.server.address}/readyz`)).status, 200)
})

test('a service that can do nothing is not ready and says what it lacks', async () => {
  await using mesh = await startCommandServer({ ytt: '#!/bin/sh\necho broken >&2\nexit 1\n' })
  const ready = await fetch(`${mesh.server.address}/readyz`)
  assert.equal(ready.status, 503)
  assert.match(await ready.text(), /^plugin: no plugin is configured.*; the ytt .* does not work: .*broken/)
  assert.equal((await mesh.client.describeCommands({})).yttVersion, '')
})
