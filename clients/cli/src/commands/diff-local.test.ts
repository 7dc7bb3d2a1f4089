import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { simpleGit } from 'simple-git'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const repoURL = 'https://git.example.com/team/deploy.git'
const configMap = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n`

function application(name: string, revision = 'main'): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  destination: {server: https://kubernetes.default.svc, namespace: shop}
  sourceHydrator:
    drySource: {repoURL: ${repoURL}, targetRevision: ${revision}, path: ${name}}
    syncSource: {targetBranch: environments/prod, path: ${name}}
`
}

const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'value: one\n',
  'web/templates/config.yaml': configMap('web', '{{ .Values.value }}'),
  // Is like an Application and is none.
  'web/templates/application.yaml': '{{ if .Values.nested }}\nkind: Application\n{{ end }}\n',
}

/** A clone in which the branch `feature` has left `main`; nothing is changed on it yet. */
async function startCheckout() {
  const copy = await startWorkingCopy({
    'applications/web.yaml': application('web'),
    'applications/rest.yaml': `${application('api')}---\n${application('pinned', 'v1')}`,
    'api/a.yaml': configMap('api', 'one'),
    'pinned/a.yaml': configMap('pinned', 'one'),
    '.gitignore': 'ignored.yaml\n',
    ...chart,
  })
  const git = simpleGit(copy.root)
  await git.addRemote('origin', repoURL)
  await git.checkoutLocalBranch('feature')
  const run = (...flags: string[]) =>
    runWadi(['diff', '--local', ...flags], {
      directory: copy.root,
      environment: { XDG_CACHE_HOME: cacheHome },
    })
  return { copy, git, run, [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose]() }
}

test('without a server the working tree is compared with where it left the base: tracked and new files, ignored ones not', async () => {
  await using checkout = await startCheckout()
  const { copy, git, run } = checkout
  const unchanged = await run('--base', 'main')
  assert.deepEqual([unchanged.stderr, unchanged.code], ['', 0])
  assert.match(
    unchanged.stdout,
    /^Applications: {2}2 unchanged$[^]*1 application that follows another revision than main/m,
  )
  await copy.write('web/values.yaml', 'value: two\n')
  await copy.write('api/new.yaml', configMap('new', 'one'))
  await copy.write('api/ignored.yaml', configMap('ignored', 'one'))
  const statusBefore = await git.raw(['status', '--porcelain'])
  const { stdout, stderr, code } = await run('--base', 'main')
  assert.deepEqual([stderr, code], ['', 1])
  assert.match(stdout, /^Compared: {6}main \([0-9a-f]{7}\) with working tree$/m)
  assert.match(stdout, /^Objects: {7}1 created, 1 changed$/m)
  assert.match(stdout, /argocd\/web: changed ConfigMap web =====\n[^]*-  value: one\n\+  value: two\n/)
  assert.match(stdout, /argocd\/api: created ConfigMap new =====/)
  assert.doesNotMatch(stdout, /ignored/)
  assert.equal(await git.raw(['status', '--porcelain']), statusBefore)
  assert.equal((await run('api')).code, 1)
  assert.match(
    (await run('web', '-o', 'markdown')).stdout,
    /\| `environments\/prod` \| `argocd\/web` \| changed \| ~1 \|/,
  )
})

test('what came to the base since is not shown as undone', async () => {
  await using checkout = await startCheckout()
  const { copy, git, run } = checkout
  await copy.write('web/values.yaml', 'value: two\n')
  await git.add('.').commit('Change web')
  await git.checkout('main')
  await copy.write('api/a.yaml', configMap('api', 'other'))
  await git.add('.').commit('Change api')
  // A clone knows what its origin has, and which branch is the default one there.
  await git.raw(['update-ref', 'refs/remotes/origin/main', 'main'])
  await git.raw(['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main'])
  await git.checkout('feature')
  const { stdout, code } = await run('--base', 'main', '-o', 'json')
  assert.equal(code, 1)
  const { applications } = JSON.parse(stdout) as { applications: { name: string }[] }
  assert.deepEqual(
    applications.map(({ name }) => name),
    ['web'],
  )
})

test('Applications that come, go or break are shown, and one that breaks ends with 2', async () => {
  await using checkout = await startCheckout()
  const { copy, run } = checkout
  await rm(join(copy.root, 'applications/rest.yaml'))
  await copy.write('applications/more.yaml', application('more'))
  await copy.write('more/a.yaml', configMap('more', 'one'))
  const { stdout, code } = await run('--base', 'main', '-o', 'json')
  assert.equal(code, 1)
  const { applications } = JSON.parse(stdout) as { applications: { name: string; outcome: string }[] }
  assert.deepEqual(
    applications.map(({ name, outcome }) => `${name} ${outcome}`),
    ['api removed', 'more added'],
  )
  await copy.write('more/a.yaml', 'kind: [\n')
  const broken = await run('--base', 'main')
  assert.equal(broken.code, 2)
  assert.match(broken.stdout, /argocd\/more {2}failed\n {4}error: .*more\/a\.yaml/)
})

test('an Application that moves to another branch or path is a change, also with the same manifests', async () => {
  await using checkout = await startCheckout()
  const { copy, run } = checkout
  await copy.write(
    'applications/web.yaml',
    application('web').replace('environments/prod', 'environments/new'),
  )
  const { stdout, code } = await run('--base', 'main')
  assert.equal(code, 1)
  assert.match(stdout, /^Applications: {2}1 changed, 1 unchanged\nBranches: {6}2 changed\nObjects: {7}none$/m)
  assert.match(
    stdout,
    /^branch environments\/new\n {2}argocd\/web {2}changed, moved from web on branch environments\/prod$/m,
  )
  await copy.write('applications/web.yaml', application('web').replace('prod, path: web', 'prod, path: shop'))
  assert.match(
    (await run('--base', 'main', '-o', 'markdown')).stdout,
    /\| `argocd\/web` \| `changed, moved from web on branch environments\/prod` \|/,
  )
})

test('a base that is not there, no Applications and a directory without git are errors that say what to do', async () => {
  await using checkout = await startCheckout()
  const { run } = checkout
  const failing = async (flags: string[], message: RegExp) => {
    const { code, stderr } = await run(...flags)
    assert.equal(code, 2)
    assert.match(stderr, message)
  }
  await failing(['--base', 'nowhere'], /revision "nowhere" does not exist in this checkout; fetch it/)
  await failing(['--base', '--output=x'], /does not exist/)
  await failing(['--revision', 'main'], /name the dry revision with --revision, or use --local/)
  await failing(['--repo', 'https://git.example.com/else.git'], /have no application|has no application/)
  await failing(['--target', 'release'], /no application of .* follows release/)
  await failing(['web', 'wed'], /is named argocd\/wed; there are argocd\/api, argocd\/pinned, argocd\/web$/m)
  await failing(['--files', '--kubeconfig', 'x'], /give either --files or --kubeconfig/)
})

/** An Application as a server has it, hydrated from a commit. */
function served(name: string, drySha: string): JsonObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      sourceHydrator: {
        drySource: { repoURL, targetRevision: 'main', path: name },
        syncSource: { targetBranch: 'environments/prod', path: name },
      },
    },
    status: { sourceHydrator: { lastSuccessfulOperation: { drySHA: drySha, hydratedSHA: 'a'.repeat(40) } } },
  }
}

test('with a server its Applications are compared with what their branches hold', async () => {
  await using checkout = await startCheckout()
  await using gateway = await Gateway.start()
  const { copy, git } = checkout
  const head = (await git.revparse(['HEAD'])).trim()
  for (const name of ['web', 'api']) gateway.applications.set(name, served(name, head))
  gateway.manifests = ({ name }) => ({ manifest: configMap(name, 'held') })
  await copy.write('api/a.yaml', configMap('api', 'two'))
  const environment = { ...gateway.environment, XDG_CACHE_HOME: cacheHome }
  const { stdout, stderr, code } = await runWadi(['diff', '--local'], { directory: copy.root, environment })
  assert.deepEqual([stderr, code], ['', 1])
  assert.match(
    stdout,
    /^Compared: {6}hydrated branches with working tree\nApplications: {2}1 changed, 1 unchanged$/m,
  )
  assert.match(stdout, /-  value: held\n\+  value: two\n/)
  assert.equal(gateway.calls.filter(({ method }) => method === 'GetManifests').length, 1)
})

test('Secrets whose values the server hides are compared by their keys, which a warning says', async () => {
  await using checkout = await startCheckout()
  await using gateway = await Gateway.start()
  const { copy, git } = checkout
  gateway.applications.set('api', served('api', (await git.revparse(['HEAD'])).trim()))
  const secret = (data: string) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: api\ndata: {${data}}\n`
  gateway.manifests = () => ({
    manifest: `${configMap('api', 'one')}---\n${secret('a: <hidden 0123456789>')}`,
    hiddenSecrets: 1,
  })
  const environment = { ...gateway.environment, XDG_CACHE_HOME: cacheHome }
  const run = () => runWadi(['diff', '--local'], { directory: copy.root, environment })
  await copy.write('api/secret.yaml', secret('a: b2xk'))
  const same = await run()
  assert.equal(same.code, 0)
  assert.match(same.stdout, /the values of Secrets are not compared/)
  assert.doesNotMatch(same.stdout, /changed Secret/)
  await copy.write('api/secret.yaml', secret('a: b2xk, b: bmV3'))
  const { stdout } = await run()
  assert.match(stdout, /argocd\/api: changed Secret api =====\n[^]*\+  b: /)
  assert.doesNotMatch(stdout, /b2xk|bmV3/)
})

for (const [origin, secret] of [
  ['https://gitlab-ci-token:s3cr3t@git.example.com/team/deploy.git', 's3cr3t'],
  ['https://s3cr3t@git.example.com/team/deploy', 's3cr3t'],
  ['https://robot:s3/cr@3t@git.example.com:8443/team/deploy.git/', 's3/cr'],
  ['http://git.example.com/Team/Deploy', undefined],
  ['git@git.example.com:team/deploy.git', undefined],
  ['ssh://git@ssh.git.example.com:443/team/deploy.git', undefined],
] as const) {
  test(`a checkout of ${origin.replace(secret ?? '', '…')} has the Applications of the repository, with and without a server`, async () => {
    await using checkout = await startCheckout()
    await using gateway = await Gateway.start()
    const { copy, git } = checkout
    await git.remote(['set-url', 'origin', origin])
    await copy.write('web/values.yaml', 'value: two\n')
    for (const name of ['web', 'api']) gateway.applications.set(name, served(name, ''))
    const environment = { ...gateway.environment, XDG_CACHE_HOME: cacheHome }
    const run = (...flags: string[]) =>
      runWadi(['diff', '--local', '--base', 'main', ...flags], { directory: copy.root, environment })
    for (const flags of [['--files'], [], ['--files', '-o', 'markdown'], ['-o', 'json'], ['-o', 'html']]) {
      const { stdout, stderr, code } = await run(...flags)
      assert.deepEqual([stderr, code], ['', 1], flags.join(' '))
      assert.match(stdout, /value: two/)
      if (secret !== undefined) assert.ok(!stdout.includes(secret))
    }
    const nothing = await run('--files', '--target', 'elsewhere')
    assert.equal(nothing.code, 2)
    assert.match(nothing.stderr, /no application of \S*git\.example\.com\S* follows elsewhere/)
    if (secret !== undefined) assert.ok(!nothing.stderr.includes(secret))
  })
}

test('options of an Application in another namespace are in the file that has the namespace in its name', async () => {
  await using checkout = await startCheckout()
  const { copy, git, run } = checkout
  await git.checkout('main')
  await copy.write(
    'applications/web.yaml',
    application('web').replace('namespace: argocd', 'namespace: team'),
  )
  await git.add('.').commit('Move web')
  await git.checkoutLocalBranch('options')
  await copy.write('web/.argocd-source-web.yaml', 'helm: {valuesObject: {value: of-web}}\n')
  await copy.write('web/.argocd-source-team_web.yaml', 'helm: {ValuesObject: {value: of-team}}\n')
  const { stdout, code } = await run('--base', 'main')
  assert.equal(code, 1)
  assert.match(stdout, /team\/web: changed ConfigMap web =====\n[^]*-  value: one\n\+  value: of-team\n/)
})
