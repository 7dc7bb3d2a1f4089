import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { loggedMessage, runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'
import { applicationSetText, sampleApplicationSet } from '../testing/sample-application-set-fixture.ts'

const web = sampleApplication('web', { phase: 'Hydrated', dry: '1' })
const changes = [
  { action: 'create', name: 'api', after: sampleApplication('api', { phase: 'Hydrated', dry: '1' }) },
  { action: 'keep', name: 'old', before: web },
  { action: 'unchanged', name: 'same', before: web, after: web },
  { action: 'update', name: 'web', before: web, after: web },
]
const withheld = '8 of 10 Applications stay; to delete them run: wadi appset refresh c --confirm'

test('each set is reported with what became of it, and its Applications on standard error', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  applicationSets.changesOf.set('a', changes)
  applicationSets.stored.set('argocd/b', sampleApplicationSet('b', { generators: [] }))
  applicationSets.stored.set('argocd/c', sampleApplicationSet('c'))
  const input = ['a', 'b', 'c'].map((name) => applicationSetText(name)).join('---\n')
  const { stdout, stderr, code } = await runWadi(['appset', 'apply', '-'], { environment, input })
  assert.equal(
    stdout,
    `applicationset.argoproj.io/a created
applicationset.argoproj.io/b configured
applicationset.argoproj.io/c configured
`,
  )
  assert.match(stderr, /^Applications of 'a': 1 created, 1 updated, 1 kept\n/)
  assert.equal(code, 0)
  const again = await runWadi(['appset', 'apply', '-', '-o', 'name'], {
    environment,
    input: applicationSetText('a'),
  })
  assert.equal(again.stdout, 'applicationset.argoproj.io/a\n')
})

test('a set that is equal is unchanged', async () => {
  await using gateway = await Gateway.start()
  const { environment } = gateway
  const input = applicationSetText('a')
  await runWadi(['appset', 'apply', '-'], { environment, input })
  const { stdout, stderr, code } = await runWadi(['appset', 'apply', '-'], { environment, input })
  assert.deepEqual([stdout, stderr, code], ['applicationset.argoproj.io/a unchanged\n', '', 0])
})

test('a dry run shows what would become of the Applications and stores nothing', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  applicationSets.changes = changes
  applicationSets.withheld = withheld
  const { stdout, stderr, code } = await runWadi(['appset', 'apply', '-', '--dry-run'], {
    environment,
    input: applicationSetText('a'),
  })
  assert.equal(
    stdout,
    `applicationset.argoproj.io/a created (dry run)
ACTION  APPLICATION  PROJECT  CLUSTER                         NAMESPACE
create  api          default  https://kubernetes.default.svc  guestbook
keep    old          default  https://kubernetes.default.svc  guestbook
update  web          default  https://kubernetes.default.svc  guestbook
`,
  )
  const both = '(once it is applied; "wadi appset apply --confirm" does both)'
  assert.deepEqual([loggedMessage(stderr), code], [`ApplicationSet 'a': ${withheld} ${both}`, 0])
  assert.deepEqual(applicationSets.calls, ['dry-run argocd/a upsert'])
  assert.equal(applicationSets.stored.size, 0)
})

test('deletions that wait for a confirmation end with 20 after all sets are stored, unless they are confirmed', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  applicationSets.withheld = withheld
  const input = `${applicationSetText('a')}---\n${applicationSetText('c')}`
  const waiting = await runWadi(['appset', 'apply', '-'], { environment, input })
  assert.equal(waiting.code, 20)
  assert.deepEqual([...applicationSets.stored.keys()], ['argocd/a', 'argocd/c'])
  assert.deepEqual(
    waiting.stderr
      .trim()
      .replaceAll(/\[\d+\]/g, '')
      .split('\n'),
    [
      `WARN ApplicationSet 'a': ${withheld}`,
      `WARN ApplicationSet 'c': ${withheld}`,
      'FATA deletions of Applications need a confirmation: a, c',
    ],
  )
  const confirmed = await runWadi(['appset', 'apply', '-', '--confirm'], { environment, input })
  assert.deepEqual([confirmed.stderr, confirmed.code], ['', 0])
  assert.equal(applicationSets.calls.at(-1), 'apply argocd/c upsert confirm')
})

test('a refresh shows what changed, and confirms what waits', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  applicationSets.withheld = withheld
  applicationSets.stored.set('argocd/c', sampleApplicationSet('c'))
  applicationSets.stored.set('teams/d', sampleApplicationSet('d'))
  const waiting = await runWadi(['appset', 'refresh', 'c'], { environment })
  assert.deepEqual(
    [waiting.stdout, waiting.code],
    ["applicationset 'c' refreshed\nNo Application changes.\n", 20],
  )
  assert.match(waiting.stderr, /8 of 10 Applications stay/)
  applicationSets.changes = [{ action: 'delete', name: 'old', before: web }]
  const confirmed = await runWadi(['appset', 'refresh', 'c', 'teams/d', '--confirm'], { environment })
  assert.deepEqual([confirmed.stderr, confirmed.code], ['', 0])
  assert.match(confirmed.stdout, /^applicationset 'd' refreshed\nACTION .*\ndelete  old /m)
  assert.deepEqual(applicationSets.calls, [
    'refresh argocd/c',
    'refresh argocd/c confirm',
    'refresh teams/d confirm',
  ])
})

test('two sets of which both make one Application are refused, and neither is stored', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  for (const name of ['a', 'b']) applicationSets.changesOf.set(name, changes)
  const input = ['a', 'b'].map((name) => applicationSetText(name)).join('---\n')
  const { stdout, stderr, code } = await runWadi(['appset', 'apply', '-'], { environment, input })
  assert.deepEqual([stdout, code], ['', 20])
  assert.match(
    stderr,
    /b: application api is also generated by ApplicationSet a \(-:1\); change one of the names; no set is stored/,
  )
  assert.equal(applicationSets.stored.size, 0)
})
