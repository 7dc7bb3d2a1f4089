import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { objectAt, valueAt } from '@wadi/fields/json-fields.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

const flags = [
  ['--dry-source-repo', 'https://git.example.com/deploy.git'],
  ['--dry-source-revision', 'main'],
  ['--dry-source-path', 'apps/guestbook'],
  ['--sync-source-branch', 'environments/prod'],
  ['--sync-source-path', 'guestbook'],
  ['--hydrate-to-branch', 'environments/prod-next'],
  ['--dest-server', 'https://kubernetes.default.svc'],
  ['--dest-namespace', 'guestbook'],
  ['-l', 'team=web'],
  ['--annotations', 'note=a=b'],
].flat()

test('flags become an Application in the shape of Argo CD', async () => {
  await using gateway = await Gateway.start()
  const { stdout, stderr, code } = await runWadi(['app', 'create', 'team-a/guestbook', ...flags], {
    environment: gateway.environment,
  })
  assert.deepEqual([stdout, stderr, code], ["application 'guestbook' created\n", '', 0])
  assert.deepEqual(gateway.applications.get('guestbook'), {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: 'guestbook',
      namespace: 'team-a',
      labels: { team: 'web' },
      annotations: { note: 'a=b' },
    },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace: 'guestbook' },
      sourceHydrator: {
        drySource: {
          repoURL: 'https://git.example.com/deploy.git',
          targetRevision: 'main',
          path: 'apps/guestbook',
        },
        syncSource: { targetBranch: 'environments/prod', path: 'guestbook' },
        hydrateTo: { targetBranch: 'environments/prod-next' },
      },
    },
  })
})

test('flags win over the fields of a file, which may come from standard input', async () => {
  await using gateway = await Gateway.start()
  const input = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: guestbook}
spec:
  project: web
  sourceHydrator: {drySource: {repoURL: https://git.example.com/a.git, targetRevision: v1, path: a}}
`
  const { stdout } = await runWadi(
    ['app', 'create', '-f', '-', '--dry-source-revision', 'v2', '--validate=false'],
    {
      environment: gateway.environment,
      input,
    },
  )
  assert.equal(stdout, "application 'guestbook' created\n")
  assert.deepEqual(gateway.applications.get('guestbook'), {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'guestbook' },
    spec: {
      project: 'web',
      destination: {},
      sourceHydrator: {
        drySource: { repoURL: 'https://git.example.com/a.git', targetRevision: 'v2', path: 'a' },
      },
    },
  })
})

test('a file with two Applications is refused before the server hears of it', async () => {
  await using gateway = await Gateway.start()
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'two.yaml')
  const document = 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n'
  await writeFile(file, `${document}---\n${document}`)
  const { stderr, code } = await runWadi(['app', 'create', '-f', file], { environment: gateway.environment })
  assert.equal(code, 20)
  assert.match(stderr, /two\.yaml must hold exactly one Application/)
  assert.deepEqual(gateway.calls, [])
})

test('an empty --hydrate-to-branch removes the staging branch and leaves the rest', async () => {
  await using gateway = await Gateway.start()
  const before = sampleApplication('guestbook', { phase: 'Hydrated', dry: '2' })
  gateway.applications.set('guestbook', before)
  const { stdout, code } = await runWadi(['app', 'set', 'guestbook', '--hydrate-to-branch', ''], {
    environment: gateway.environment,
  })
  assert.deepEqual([stdout, code], ['', 0])
  assert.deepEqual(valueAt(before, 'spec', 'sourceHydrator', 'hydrateTo'), {
    targetBranch: 'environments/prod-next',
  })
  const hydrator = { ...objectAt(before, 'spec', 'sourceHydrator') }
  delete hydrator['hydrateTo']
  assert.deepEqual(gateway.applications.get('guestbook'), {
    ...before,
    spec: { ...objectAt(before, 'spec'), sourceHydrator: hydrator },
  })
})

test('set without a flag prints its help and ends with 1', async () => {
  const { stderr, code } = await runWadi(['app', 'set', 'guestbook'])
  assert.equal(code, 1)
  assert.match(stderr, /^Usage: wadi app set \[options\] <name>\n/)
})

test('flags that are missing are named together, before anything is asked', async () => {
  const { stderr, code } = await runWadi([
    'app',
    'create',
    'web',
    '--dest-name',
    'east',
    '--dry-source-path',
    '',
  ])
  assert.equal(code, 1)
  const missing = '--dry-source-repo, --dry-source-revision, --sync-source-branch, --sync-source-path'
  assert.ok(stderr.includes(`give ${missing}, or an Application with --file`), stderr)
})

for (const [name, advice] of [
  ['sync', /app sync is unsupported: Wadi applies nothing to clusters: .*wadi app hydrate NAME/],
  ['rollback', /app rollback is unsupported: to go back, revert the commit in the dry repository/],
] as const) {
  test(`${name}, which argocd has, says what to do, and no help lists it`, async () => {
    const { stderr, code } = await runWadi(['app', name, 'web', '3', '--prune'])
    assert.equal(code, 20)
    assert.match(stderr, advice)
    assert.doesNotMatch((await runWadi(['app', '--help'])).stdout, new RegExp(`^ +${name}`, 'm'))
    assert.doesNotMatch((await runWadi(['completion', 'bash'])).stdout, new RegExp(`/app/${name}\\b`))
  })
}
