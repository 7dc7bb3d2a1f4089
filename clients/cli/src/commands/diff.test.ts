import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simpleGit } from 'simple-git'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

const repo = ['--repo', 'https://git.example.com/deploy.git']
const identity = { group: '', kind: 'ConfigMap', namespace: 'shop', name: 'web\u001b[2J' }
const web = {
  namespace: 'argocd',
  name: 'web',
  branch: 'environments/prod',
  path: 'web',
  outcome: 'changed',
  objects: [{ change: 'changed', identity, before: 'data: 1\n', after: 'data: 2\n' }],
}
const summary = { applications: 3, unchanged: 2, changed: 1, objectsChanged: 1, branches: 1 }
const shas = { revisionSha: '2'.repeat(40), baseSha: '1'.repeat(40) }

async function gatewayWithChange(): Promise<Gateway> {
  const gateway = await Gateway.start()
  gateway.comparison = [
    { message: { case: 'progress', value: { phase: 'render', done: 1, total: 2 } } },
    { message: { case: 'application', value: web } },
    { message: { case: 'summary', value: { ...summary, ...shas } } },
  ]
  return gateway
}

test('changes are shown by branch and application without terminal controls, and end with 1', async () => {
  await using gateway = await gatewayWithChange()
  const { environment } = gateway
  const args = ['diff', 'web', ...repo, '--revision', 'feature', '--base', 'main', '--target', 'main']
  const { stdout, stderr, code } = await runWadi(args, { environment })
  assert.equal(stderr, '')
  assert.equal(code, 1)
  assert.equal(
    stdout,
    `Compared:      main (1111111) with feature (2222222)
Applications:  1 changed, 2 unchanged
Branches:      1 changed
Objects:       1 changed
Errors:        0
Warnings:      0

branch environments/prod
  argocd/web  changed  ~1

===== environments/prod argocd/web: changed ConfigMap shop/web\\x1b[2J =====
--- main (1111111)
+++ feature (2222222)
@@ -1,1 +1,1 @@
-data: 1
+data: 2
`,
  )
  const [asked] = gateway.comparisons
  assert.deepEqual(
    [asked?.repoUrl, asked?.revision, asked?.base, asked?.target, asked?.applications[0]?.name],
    ['https://git.example.com/deploy.git', 'feature', 'main', 'main', 'web'],
  )
})

test('versions of tools are tried out on what is hydrated, and what is no version is wrong usage', async () => {
  await using gateway = await gatewayWithChange()
  const { environment } = gateway
  const run = (...flags: string[]) => runWadi(['diff', ...repo, ...flags], { environment })
  const { stdout } = await run('--tools', 'helm=4.3.1,kustomize=v5.8.3')
  assert.match(stdout, /^\+\+\+ HEAD \(2222222\) with helm 4\.3\.1 and kustomize 5\.8\.3$/m)
  const [asked] = gateway.comparisons
  assert.deepEqual(
    [asked?.revision, asked?.base, asked?.tools],
    ['HEAD', '', { helm: '4.3.1', kustomize: '5.8.3' }],
  )
  await run('--revision', 'feature', '--tools', 'helm=4.3.1')
  assert.equal(gateway.comparisons[1]?.revision, 'feature')
  for (const wrong of ['helm', 'helm=4', 'helm=>=4.3.1', 'jsonnet=0.20.0', 'helm=4.3.1;kustomize=5.8.3 x']) {
    const { stderr, code } = await run('--tools', wrong)
    assert.match(stderr, /--tools: ".*" must be a tool and one exact version, such as helm=4\.3\.1/)
    assert.equal(code, 2)
  }
  const twice = await run('--tools', 'helm=4.3.1,helm=3.22.0')
  assert.match(twice.stderr, /--tools names helm twice; keep one version/)
  assert.equal(twice.code, 2)
  assert.match((await run('--local', '--tools', 'helm=4.3.1')).stderr, /name the versions in wadi\.yaml/)
})

test('the other formats have the same changes', async () => {
  await using gateway = await gatewayWithChange()
  const { environment } = gateway
  const run = (...flags: string[]) =>
    runWadi(['diff', ...repo, '--revision', 'feature', ...flags], { environment })
  const json = await run('-o', 'json', '--no-exit-code')
  assert.equal(json.code, 0)
  const { summary: counted, applications } = JSON.parse(json.stdout) as {
    summary: { changed: number; failed: number }
    applications: { name: string; objects: { after: string }[] }[]
  }
  assert.deepEqual([counted.changed, counted.failed], [1, 0])
  assert.deepEqual([applications[0]?.name, applications[0]?.objects[0]?.after], ['web', 'data: 2\n'])
  assert.match((await run('-o', 'markdown')).stdout, /^### Hydrated changes\n[^]*```diff\n[^]*\+data: 2\n```/)
  assert.match((await run('-o', 'html')).stdout, /^<!doctype html>[^]*<span class="added">\+data: 2<\/span>/)
})

test('no change ends with 0, and trouble with 2: a failed application, a failed call and wrong usage', async () => {
  await using gateway = await gatewayWithChange()
  const { environment } = gateway
  const run = (...flags: string[]) => runWadi(['diff', ...flags], { environment })
  const failed = { ...web, outcome: 'failed', objects: [], errors: ['a.yaml:1: not YAML'] }
  gateway.comparison = [
    { message: { case: 'application', value: failed } },
    { message: { case: 'summary', value: { applications: 1, failed: 1, errors: 1 } } },
  ]
  const broken = await run(...repo, '--revision', 'feature')
  assert.equal(broken.code, 2)
  assert.match(broken.stdout, /error: a\.yaml:1: not YAML/)
  gateway.comparison = [{ message: { case: 'summary', value: { applications: 3, unchanged: 3 } } }]
  assert.equal((await run(...repo, '--revision', 'feature')).code, 0)
  gateway.comparison = []
  const cut = await run(...repo, '--revision', 'feature')
  assert.deepEqual([cut.code, /without a summary/.test(cut.stderr)], [2, true])
  for (const [flags, message] of [
    [repo, /name the dry revision with --revision/],
    [['--revision', 'feature', '--nonsense'], /unknown option '--nonsense'/],
  ] as const) {
    const { code, stderr } = await run(...flags)
    assert.equal(code, 2)
    assert.match(stderr, message)
  }
})

test('the repository is that of the checkout, unless there is none', async () => {
  await using gateway = await gatewayWithChange()
  await using directory = await temporaryDirectory()
  const { environment } = gateway
  const run = () => runWadi(['diff', '--revision', 'feature'], { environment, directory: directory.path })
  const missing = await run()
  assert.deepEqual([missing.code, /name the dry repository with --repo/.test(missing.stderr)], [2, true])
  const git = simpleGit(directory.path)
  await git.init()
  await git.addRemote('origin', 'git@git.example.com:team/deploy.git')
  assert.equal((await run()).code, 1)
  assert.equal(gateway.comparisons.at(-1)?.repoUrl, 'git@git.example.com:team/deploy.git')
})
