import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'
import { runOnTerminal } from '../testing/terminal-fixture.ts'

test('without a terminal nothing is deleted unless --yes is given', async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set('a', sampleApplication('a', { phase: 'Hydrated', dry: '1' }))
  const { environment } = gateway
  const refused = await runWadi(['app', 'delete', 'a'], { environment, input: 'y\n' })
  assert.deepEqual([refused.stdout, refused.code], ['', 20])
  assert.match(refused.stderr, /there is no terminal to confirm on: repeat the command with --yes/)
  assert.deepEqual(gateway.calls, [])
  const deleted = await runWadi(['app', 'delete', 'a', '-y'], { environment })
  assert.deepEqual([deleted.stdout, deleted.code], ["application 'a' deleted\n", 0])
  assert.equal(gateway.applications.size, 0)
})

test('on a terminal each deletion is confirmed until the answer is all', async () => {
  await using gateway = await Gateway.start()
  for (const name of ['a', 'b', 'c']) {
    gateway.applications.set(name, sampleApplication(name, { phase: 'Hydrated', dry: '1' }))
  }
  const screen = await runOnTerminal(['app', 'delete', 'a', 'b', 'c'], {
    environment: gateway.environment,
    prompt: 'without prompting ',
    answers: ['maybe', 'n', 'a'],
  })
  assert.equal(screen.match(/Are you sure you want to delete 'a'\? \[y\/n\/a\]/g)?.length, 2)
  assert.match(screen, /The command to delete 'a' was cancelled\./)
  assert.match(screen, /application 'b' deleted/)
  assert.match(screen, /application 'c' deleted/)
  assert.deepEqual([...gateway.applications.keys()], ['a'])
})
