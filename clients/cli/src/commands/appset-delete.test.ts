import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { loggedMessage, runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplicationSet } from '../testing/sample-application-set-fixture.ts'
import { runOnTerminal } from '../testing/terminal-fixture.ts'

async function startWith(...names: string[]): Promise<Gateway> {
  const gateway = await Gateway.start()
  for (const name of names) gateway.applicationSets.stored.set(`argocd/${name}`, sampleApplicationSet(name))
  return gateway
}

test('without a terminal nothing is deleted unless --yes is given', async () => {
  await using gateway = await startWith('a')
  const { applicationSets, environment } = gateway
  applicationSets.changes = [{ name: 'dev' }, { name: 'test' }]
  const refused = await runWadi(['appset', 'delete', 'a'], { environment, input: 'y\n' })
  assert.deepEqual([refused.stdout, refused.code], ['', 20])
  assert.match(refused.stderr, /there is no terminal to confirm on: repeat the command with --yes/)
  assert.deepEqual(gateway.calls, [])
  const deleted = await runWadi(['appset', 'delete', 'a', '-y'], { environment })
  assert.deepEqual([deleted.stdout, deleted.code], ["applicationset 'a' deleted\n", 0])
  assert.equal(deleted.stderr, "Applications of 'a': 2 deleted with it\n")
  assert.equal(applicationSets.stored.size, 0)
})

test('the Applications stay with --cascade=false, and a name may have its namespace', async () => {
  await using gateway = await startWith('a')
  const { applicationSets, environment } = gateway
  applicationSets.stored.set('teams/b', sampleApplicationSet('b'))
  applicationSets.stored.set('other/c', sampleApplicationSet('c'))
  applicationSets.changes = [{ name: 'dev' }]
  const args = ['appset', 'delete', 'argocd/a', 'b', 'other/c', '-N', 'teams', '--yes', '--cascade=false']
  const { stderr, code } = await runWadi(args, { environment })
  assert.equal(code, 0)
  assert.match(stderr, /^Applications of 'a': 1 kept, without an owner\n/)
  assert.deepEqual(applicationSets.calls, [
    'delete argocd/a orphan',
    'delete teams/b orphan',
    'delete other/c orphan',
  ])
})

test('a set that does not exist ends with 20 and keeps those after it from being deleted', async () => {
  await using gateway = await startWith('a', 'z')
  const { stdout, stderr, code } = await runWadi(['appset', 'delete', 'a', 'b', 'z', '-y'], {
    environment: gateway.environment,
  })
  assert.deepEqual([stdout, code], ["applicationset 'a' deleted\n", 20])
  assert.equal(
    loggedMessage(stderr),
    'rpc error: code = NotFound desc = ApplicationSet argocd/b does not exist',
  )
  assert.deepEqual([...gateway.applicationSets.stored.keys()], ['argocd/z'])
})

test('--wait ends when the set is gone', async () => {
  await using gateway = await startWith('a')
  const { applicationSets, environment } = gateway
  applicationSets.lingers = 2
  const args = ['appset', 'delete', 'a', '-y', '--wait', '--timeout', '60']
  const { stdout, code } = await runWadi(args, { environment })
  assert.deepEqual([stdout, code], ["applicationset 'a' deleted\n", 0])
  assert.deepEqual([applicationSets.lingers, applicationSets.stored.size], [0, 0])
})

test('--wait gives up when its time is over', async () => {
  await using gateway = await startWith('a')
  gateway.applicationSets.lingers = 1_000
  const args = ['appset', 'delete', 'a', '-y', '--wait', '--timeout', '1']
  const { stdout, stderr, code } = await runWadi(args, { environment: gateway.environment })
  assert.deepEqual([stdout, code], ['', 20])
  assert.match(stderr, /waited 1 s for ApplicationSet 'a' to go/)
})

test('on a terminal the deletion of a set is confirmed, and no is not a failure', async () => {
  await using gateway = await startWith('a')
  const { environment } = gateway
  const prompt = '[y/n] '
  const kept = await runOnTerminal(['appset', 'delete', 'a'], { environment, prompt, answers: ['n'] })
  assert.match(kept, /Are you sure you want to delete 'a' and all its Applications\? \[y\/n\] /)
  assert.match(kept, /The command to delete 'a' was cancelled\./)
  const args = ['appset', 'delete', 'a', '--no-cascade']
  const left = await runOnTerminal(args, { environment, prompt, answers: ['y'] })
  assert.match(left, /Are you sure you want to delete 'a' and leave its Applications\? \[y\/n\] /)
  assert.deepEqual(gateway.applicationSets.calls, ['delete argocd/a orphan'])
})

test('on a terminal each of several deletions is confirmed until the answer is all', async () => {
  await using gateway = await startWith('a', 'b', 'c')
  const screen = await runOnTerminal(['appset', 'delete', 'a', 'b', 'c'], {
    environment: gateway.environment,
    prompt: 'without prompting ',
    answers: ['n', 'a'],
  })
  const question =
    /Are you sure you want to delete '[ab]' and all its Applications\? \[y\/n\/a\] where 'a' is to delete all specified ApplicationSets and their Applications without prompting /g
  assert.equal(screen.match(question)?.length, 2)
  assert.deepEqual([...gateway.applicationSets.stored.keys()], ['argocd/a'])
})
