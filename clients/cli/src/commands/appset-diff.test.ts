import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { applicationSetText, sampleApplicationSet } from '../testing/sample-application-set-fixture.ts'

function application(name: string, revision: string) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', uid: `u-${name}`, resourceVersion: revision, generation: 3 },
    spec: { source: { repoURL: 'https://git.example.com/r', targetRevision: revision } },
    status: { sync: { status: revision } },
  }
}

const api = application('api', 'v1')
const web = { before: application('web', 'v1'), after: application('web', 'v2') }

test('each Application that would change is shown as a diff below a header, and the set itself', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  applicationSets.stored.set('argocd/a', sampleApplicationSet('a', { generators: [{ list: {} }] }))
  applicationSets.changes = [
    { action: 'delete', name: 'api', before: api },
    { action: 'keep', name: 'kept', before: api },
    { action: 'unchanged', name: 'same', before: api, after: api },
    { action: 'update', name: 'web', ...web },
  ]
  const input = applicationSetText('a')
  const { stdout, stderr, code } = await runWadi(['appset', 'diff', '-'], { environment, input })
  assert.deepEqual([stderr, code], ['', 1])
  const headers = stdout.match(/^=====.*$/gm)
  assert.deepEqual(headers, [
    '===== update ApplicationSet argocd/a ======',
    '===== delete Application argocd/api ======',
    '===== keep Application argocd/kept ======',
    '===== update Application argocd/web ======',
  ])
  const [, set = '', gone = '', kept = '', changed = ''] = stdout.split(/^=====.*\n/m)
  assert.match(set, /^--- stored\n\+\+\+ generated\n/)
  assert.match(set, /^-.*- list: \{\}\n/m)
  assert.doesNotMatch(set, /uid|resourceVersion/)
  assert.equal(gone.match(/^-(?!--)/gm)?.length, 9)
  assert.equal(
    kept.trim(),
    'no longer generated; kept, because spec.syncPolicy.applicationsSync deletes none',
  )
  assert.deepEqual(changed.match(/^[-+] .*$/gm), ['-    targetRevision: v1', '+    targetRevision: v2'])
  assert.deepEqual(applicationSets.calls, ['dry-run argocd/a upsert'])
})

test('a set that does not exist is shown whole', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  applicationSets.changes = [{ action: 'create', name: 'api', after: api }]
  const { stdout, code } = await runWadi(['appset', 'diff', '-', '--exit-code=false'], {
    environment,
    input: applicationSetText('a'),
  })
  assert.equal(code, 0)
  assert.match(stdout, /===== create ApplicationSet argocd\/a ======\n--- stored\n\+\+\+ generated\n@@ -0,0 /)
  assert.match(stdout, /===== create Application argocd\/api ======\n--- stored\n/)
})

test('no change ends with 0 and prints nothing; a kept Application is a difference only while its deletion waits', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  const input = applicationSetText('a')
  applicationSets.stored.set('argocd/a', sampleApplicationSet('a', { generators: [] }))
  const diff = async (...flags: string[]) =>
    runWadi(['appset', 'diff', '-', ...flags], { environment, input })
  const stored = await runWadi(['appset', 'apply', '-'], { environment, input })
  assert.equal(stored.code, 0)
  const none = await diff()
  assert.deepEqual([none.stdout, none.code], ['', 0])
  applicationSets.changes = [{ action: 'keep', name: 'old', before: api }]
  assert.equal((await diff()).code, 0)
  applicationSets.withheld = '1 of 1 Applications stay'
  const waiting = await diff('--diff-exit-code', '7')
  assert.equal(waiting.code, 7)
  assert.match(
    waiting.stdout,
    /keep Application argocd\/old ======\nno longer generated; its deletion needs a confirmation/,
  )
  assert.match(waiting.stderr, /1 of 1 Applications stay/)
})

test('a failure ends with 20 and wrong usage with 2', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  applicationSets.refused.add('a')
  const failed = await runWadi(['appset', 'diff', '-'], { environment, input: applicationSetText('a') })
  assert.equal(failed.code, 20)
  assert.equal((await runWadi(['appset', 'diff'])).code, 2)
})

test('characters that would move the cursor are made visible', async () => {
  await using gateway = await Gateway.start()
  const { applicationSets, environment } = gateway
  applicationSets.changes = [{ action: 'create', name: 'a\u001b[2J', after: application('x\u001b[2J', 'v1') }]
  const { stdout } = await runWadi(['appset', 'diff', '-'], { environment, input: applicationSetText('a') })
  assert.match(stdout, /create Application argocd\/a\\x1b\[2J ======/)
  assert.ok(!stdout.includes('\u001b'))
})
