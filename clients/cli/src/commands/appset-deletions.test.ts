import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { applicationSetText, sampleApplicationSet } from '../testing/sample-application-set-fixture.ts'
import { runOnTerminal } from '../testing/terminal-fixture.ts'

const prompt = '[y/n] '
const deletion = "ApplicationSet 'a' deletes 2 Applications: db, web"

async function startDeleting(): Promise<Gateway> {
  const gateway = await Gateway.start()
  gateway.applicationSets.stored.set('argocd/a', sampleApplicationSet('a'))
  gateway.applicationSets.changes = ['db', 'web'].map((name) => ({ action: 'delete', name }))
  return gateway
}

const commands: [string, string[]][] = [
  ['appset apply', ['appset', 'apply', '-']],
  ['appset create --upsert', ['appset', 'create', '-', '--upsert']],
  ['apply', ['apply', '-f', '-']],
  ['appset refresh', ['appset', 'refresh', 'a']],
]
for (const [name, args] of commands) {
  test(`"${name}" names what it deletes, and needs --yes without a terminal`, async () => {
    await using gateway = await startDeleting()
    const { applicationSets, environment } = gateway
    const options = { environment, input: applicationSetText('a') }
    const { stderr, code } = await runWadi(args, options)
    assert.equal(code, 20)
    assert.ok(
      stderr.includes(`${deletion}; there is no terminal to confirm on: repeat the command with --yes`),
    )
    assert.deepEqual(applicationSets.reviewed, [])
    const agreed = await runWadi([...args, '--yes'], options)
    assert.equal(agreed.code, 0)
    assert.deepEqual(applicationSets.reviewed, ['plan of a'])
  })
}

test('on a terminal the question names the Applications, and "no" stores nothing', async () => {
  await using gateway = await startDeleting()
  const { applicationSets, environment } = gateway
  const args = ['appset', 'refresh', 'a']
  const refused = await runOnTerminal(args, { environment, prompt, answers: ['n'] })
  assert.ok(refused.includes(`${deletion}\r\nAre you sure you want to delete them? [y/n]`))
  assert.match(refused, /cancelled/)
  assert.deepEqual(applicationSets.reviewed, [])
  await runOnTerminal(args, { environment, prompt, answers: ['y'] })
  assert.deepEqual(applicationSets.reviewed, ['plan of a'])
})

test('a set is deleted in the version and with the Applications that the question named', async () => {
  await using gateway = await startDeleting()
  const { applicationSets, environment } = gateway
  const screen = await runOnTerminal(['appset', 'delete', 'a'], { environment, prompt, answers: ['y'] })
  assert.match(screen, /ApplicationSet 'a' has db, web\./)
  assert.deepEqual(applicationSets.reviewed, ['db', 'web', 'version of a'])
})
