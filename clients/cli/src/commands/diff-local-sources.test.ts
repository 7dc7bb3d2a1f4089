import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { minimalChart, packChart, startChartServer } from '@wadi/charts/chart-server-fixture.ts'
import { pushChart, startRegistry } from '@wadi/charts/registry-fixture.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { simpleGit } from 'simple-git'
import { makeCacheHome } from '../testing/cache-home-fixture.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const repoURL = 'https://git.example.com/team/sources.git'
const users = { ci: 'hunter2' }
const configMap = (name: string, value = 'one') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n`
const application = (name: string, sources: readonly Record<string, unknown>[]) =>
  JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      sourceHydrator: {
        drySources: sources,
        syncSource: { repoURL, targetBranch: 'environments/prod', path: name },
      },
    },
  })

/** A clone of the compared repository with a branch, and a home with nobody's credentials. */
async function startCheckout(files: Readonly<Record<string, string>>) {
  await using owned = new AsyncDisposableStack()
  const copy = owned.use(await startWorkingCopy(files))
  const home = owned.use(await temporaryDirectory()).path
  const cache = join(home, 'cache')
  await makeCacheHome(cache)
  const git = simpleGit(copy.root)
  await git.addRemote('origin', repoURL)
  await git.checkoutLocalBranch('feature')
  const run = (more: Record<string, string> = {}) =>
    runWadi(['diff', '--local', '--base', 'main'], {
      directory: copy.root,
      environment: { HOME: home, XDG_CACHE_HOME: cache, ...more },
    })
  const moved = owned.move()
  return { ...copy, git, home, run, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

test('a chart of a Helm repository takes its values from the working tree, with the credentials of helm', async () => {
  await using server = await startChartServer({ users })
  server.publish('web', '1.0.0', await packChart('web', minimalChart('web', '1.0.0')))
  server.publish('web', '1.2.0', await packChart('web', minimalChart('web', '1.2.0')))
  await using checkout = await startCheckout({
    'applications/web.json': application('web', [
      {
        repoURL: server.url,
        targetRevision: '1.x',
        chart: 'web',
        helm: { valueFiles: ['$values/web.yaml'] },
      },
      { repoURL, targetRevision: 'main', ref: 'values' },
      { repoURL, targetRevision: 'main', path: 'extra' },
    ]),
    'web.yaml': 'replicas: 2\n',
    'extra/a.yaml': configMap('extra'),
  })
  await checkout.write('web.yaml', 'replicas: 3\n')
  await checkout.write('extra/a.yaml', configMap('extra', 'two'))
  const refused = await checkout.run()
  assert.equal(refused.code, 2)
  assert.match(
    refused.stdout,
    /error \(also before\): drySources\[0\], chart web of http:\S+, cannot be read on this machine: \S+ answers 401: give helm credentials .*helm repo add/,
  )
  await mkdir(join(checkout.home, '.config/helm'), { recursive: true })
  const entry = { name: 'own', url: server.url, username: 'ci', password: users.ci }
  await writeFile(
    join(checkout.home, '.config/helm/repositories.yaml'),
    JSON.stringify({ apiVersion: '', repositories: [entry] }),
  )
  const shown = await checkout.run()
  assert.deepEqual([shown.stderr, shown.code], ['', 1])
  assert.match(
    shown.stdout,
    /changed ConfigMap web =====\n[^]*-  replicas: "2"\n\+  replicas: "3"\n   version: 1.2.0\n/,
  )
  assert.match(shown.stdout, /changed ConfigMap extra =====\n[^]*-  value: one\n\+  value: two\n/)
  assert.doesNotMatch(`${refused.stdout}${refused.stderr}${shown.stdout}`, /hunter2/)
  const before = server.requests.length
  const again = await checkout.run()
  assert.equal(again.stdout, shown.stdout)
  assert.deepEqual(
    server.requests.slice(before).filter((request) => request.includes('.tgz')),
    [],
  )
  await checkout.write('web.yaml', 'replicas: 2\n')
  await checkout.write('extra/a.yaml', configMap('extra'))
  assert.equal((await checkout.run()).code, 0)
})

test('a chart of an OCI registry is read with the login of helm or of a credential helper', async () => {
  await using registry = await startRegistry({ users })
  const login = `Basic ${Buffer.from('ci:hunter2').toString('base64')}`
  const archive = await packChart('api', minimalChart('api', '2.0.0'))
  const asked = await fetch(`http://${registry.host}/token?scope=repository:charts/api:pull`, {
    headers: { authorization: login },
  })
  const { token } = (await asked.json()) as { token: string }
  await pushChart(registry.host, 'charts/api', '2.0.0', archive, `Bearer ${token}`)
  await using checkout = await startCheckout({
    'applications/api.json': application('api', [
      {
        repoURL: `oci://${registry.host}/charts`,
        targetRevision: '2.0.0',
        chart: 'api',
        helm: { valueFiles: ['$here/values.yaml'] },
      },
      { repoURL, targetRevision: 'main', ref: 'here' },
    ]),
    'values.yaml': 'replicas: 2\n',
  })
  await checkout.write('values.yaml', 'replicas: 5\n')
  const refused = await checkout.run()
  assert.match(refused.stdout, /cannot be read on this machine: .*helm registry login HOST/)
  const configuration = join(checkout.home, 'login.json')
  await writeFile(configuration, JSON.stringify({ auths: { [registry.host]: { auth: login.slice(6) } } }))
  const shown = await checkout.run({ HELM_REGISTRY_CONFIG: configuration })
  assert.deepEqual([shown.stderr, shown.code], ['', 1])
  assert.match(shown.stdout, /-  replicas: "2"\n\+  replicas: "5"\n/)
  const programs = join(checkout.home, 'bin')
  await mkdir(programs)
  await writeFile(
    join(programs, 'docker-credential-test'),
    `#!/bin/sh\nread host\n[ "$1 $host" = 'get ${registry.host}' ] && echo '{"Username": "ci", "Secret": "hunter2"}'\n`,
    { mode: 0o755 },
  )
  await mkdir(join(checkout.home, '.docker'))
  await writeFile(
    join(checkout.home, '.docker/config.json'),
    JSON.stringify({ credHelpers: { [registry.host]: 'test' } }),
  )
  const helped = await checkout.run({
    PATH: `${programs}:${process.env['PATH'] ?? ''}`,
    XDG_CACHE_HOME: join(checkout.home, 'cache'),
  })
  assert.equal(helped.stdout, shown.stdout)
})

test('another git repository is fetched by the git of the user, at its revision now, and kept', async () => {
  await using server = await startGitHttpServer({ users })
  const { url, directory } = await server.createRepository('shared.git')
  await using other = await startWorkingCopy({
    'config/a.yaml': configMap('shared'),
    'prod.yaml': 'value: one\n',
  })
  const otherGit = simpleGit(other.root)
  await otherGit.addTag('v1.0.0')
  const push = () => otherGit.raw(['push', '-q', directory, 'main', '--tags'])
  await push()
  const chart = {
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/templates/a.yaml': configMap('web', '{{ .Values.value }}'),
  }
  await using checkout = await startCheckout({
    'applications/web.json': application('web', [
      { repoURL, targetRevision: 'main', path: 'chart', helm: { valueFiles: ['$shared/prod.yaml'] } },
      { repoURL: url, targetRevision: 'v1.*', ref: 'shared', path: 'config' },
    ]),
    ...chart,
  })
  await checkout.write('chart/templates/a.yaml', configMap('web', 'new {{ .Values.value }}'))
  const refused = await checkout.run()
  assert.equal(refused.code, 2)
  assert.match(
    refused.stdout,
    /error \(also before\): drySources\[1\], http:\S+shared\.git, cannot be read on this machine: .*see to it that "git ls-remote http:\S+" works outside of the checkout$/m,
  )
  await writeFile(
    join(checkout.home, '.gitconfig'),
    `[credential]\n\thelper = "!f() { echo username=ci; echo password=${users.ci}; }; f"\n`,
  )
  const shown = await checkout.run()
  assert.deepEqual([shown.stderr, shown.code], ['', 1])
  assert.match(shown.stdout, /^Objects: {7}1 changed$/m)
  assert.match(shown.stdout, /-  value: one\n\+  value: new one\n/)
  const fetches = () => server.requests.filter(({ method }) => method === 'POST').length
  const before = fetches()
  // A hook of git has the variables of its repository.
  const inHook = await checkout.run({ GIT_DIR: join(checkout.root, '.git'), GIT_INDEX_FILE: '.git/index' })
  assert.equal(inHook.stdout, shown.stdout)
  await other.write('prod.yaml', 'value: two\n')
  await otherGit.add('.').commit('Two')
  await otherGit.addTag('v1.1.0')
  await push()
  assert.match((await checkout.run()).stdout, /-  value: two\n\+  value: new two\n/)
  assert.ok(fetches() > before)
  const missing = JSON.parse(
    application('web', [
      { repoURL, targetRevision: 'main', path: 'chart' },
      { repoURL: url, targetRevision: 'v9', path: 'config' },
    ]),
  ) as object
  await checkout.write('applications/web.json', JSON.stringify(missing))
  assert.match((await checkout.run()).stdout, /drySources\[1\].*revision "v9" does not exist/)
  for (const bad of ['ext::sh -c true', 'file:///etc', '--upload-pack=x']) {
    const text = JSON.stringify(missing).replaceAll(url, bad)
    await checkout.write('applications/web.json', text)
    assert.match((await checkout.run()).stdout, /failed\n {4}error: /)
  }
})

test('of objects that several sources have the last one is compared, and a source at another revision is that of the checkout', async () => {
  await using checkout = await startCheckout({
    'applications/joined.json': application('joined', [
      { repoURL, targetRevision: 'main', path: 'one' },
      { repoURL, targetRevision: 'v1', path: 'two' },
    ]),
    'one/a.yaml': configMap('both', 'first'),
    'two/a.yaml': configMap('both', 'second'),
  })
  const unfetched = await checkout.run()
  assert.match(unfetched.stdout, /revision "v1" of https:\S+ is not in the checkout; fetch it/)
  await checkout.git.addTag('v1')
  assert.equal((await checkout.run()).code, 0)
  await checkout.write('two/a.yaml', configMap('both', 'third'))
  assert.equal((await checkout.run()).code, 0)
  await checkout.write('one/more.yaml', configMap('more'))
  const { stdout } = await checkout.run()
  assert.match(stdout, /^Objects: {7}1 created$/m)
  await checkout.write(
    'applications/joined.json',
    application('joined', [
      { repoURL, targetRevision: 'v1', path: 'two' },
      { repoURL, targetRevision: 'main', path: 'one' },
    ]),
  )
  const turned = await checkout.run()
  assert.match(turned.stdout, /-  value: second\n\+  value: first\n/)
})
