import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { startMeshFixture } from '../testing/mesh-fixture.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { withoutSecrets } from '../support/without-secrets.ts'

/** Each is in another place; the common part is what the archive is searched for. */
const planted = (place: string) => `canary-${place}-8f2d41`

test('a bundle holds what others need to help, and no secret of any place', async () => {
  await using owned = new AsyncDisposableStack()
  const mesh = owned.use(
    await startMeshFixture({
      WADI_LOG_LEVEL: 'info',
      WADI_ADMIN_TOKEN: `${planted('admin-token')}-that-is-long-enough`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${planted('otlp')}`,
    }),
  )
  const git = owned.use(await startGitHttpServer({ users: { wadi: planted('git-password') } }))
  const { url, directory } = await git.createRepository('deploy.git')
  const copy = await createRepository(join(mesh.directory, 'deploy'), { objects: join(directory, 'objects') })
  const secret = (name: string) =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}}\nstringData: {password: ${planted('manifest')}}\n`
  const sha = await copy.commitFiles(
    {
      'web/secret.yaml': secret('web'),
      'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'chart/templates/a.yaml':
        'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: "{{ .Values.key }}"}\n',
    },
    'First',
  )
  await runTestGit(directory, ['update-ref', 'refs/heads/main', sha])
  const credentials = ['--username', 'wadi', '--password-stdin']
  for (const write of [[], ['--write']]) {
    const added = await mesh.operate(['repo', 'add', url, ...credentials, ...write], {
      input: planted('git-password'),
    })
    assert.equal(added.code, 0, added.stderr)
  }
  const proxied = ['repo', 'add', 'https://127.0.0.1:1/away.git', '--no-validate']
  const proxy = `http://someone:${planted('proxy')}@127.0.0.1:1`
  assert.equal((await mesh.operate([...proxied, '--proxy', proxy])).code, 0)
  const objects = join(mesh.directory, 'objects.yaml')
  const application = (name: string, repoURL: string, helm: object | undefined) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, annotations: { note: planted('annotation') } },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
      sourceHydrator: {
        drySource: { repoURL, targetRevision: 'main', path: helm ? 'chart' : 'web', ...(helm && { helm }) },
        syncSource: { repoURL: url, targetBranch: 'environments/prod', path: name },
      },
    },
  })
  const webhook = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'argocd-secret' },
    stringData: { 'webhook.github.secret': planted('webhook') },
  }
  const list = [
    application('web', url, undefined),
    application('chart', url, { parameters: [{ name: 'key', value: planted('parameter') }] }),
    application('away', 'https://127.0.0.1:1/away.git', undefined),
    webhook,
  ]
  await writeFile(objects, list.map((object) => JSON.stringify(object)).join('\n---\n'))
  const applied = await mesh.operate(['apply', '-f', objects])
  assert.equal(applied.code, 0, applied.stderr)
  assert.equal((await mesh.operate(['app', 'wait', 'web'])).code, 0)

  const file = join(mesh.directory, 'support.tar.gz')
  const environment = { XDG_CACHE_HOME: cacheHome, WADI_REPO_PASSWORD: planted('environment') }
  const { stdout, stderr, code } = await mesh.operate(['support-bundle', '--file', file], { environment })
  assert.equal(code, 0, stderr)
  const archive = gunzipSync(await readFile(file)).toString()
  const quoted = archive.match(/.{0,80}(?:canary|8f2d41).{0,40}/g)
  assert.equal(quoted, null)
  assert.doesNotMatch(archive, new RegExp(RegExp.escape(mesh.adminToken)))
  const held = /^ {2}(\S+): /gm
  const names = [...stdout.matchAll(held)].map(([, name]) => name)
  assert.deepEqual(names, [
    'client.json',
    'client-doctor.json',
    'doctor.json',
    ...['api-gateway', 'repo-server', 'commit-server', 'hydrator', 'appset-service'].flatMap(
      (service, index) =>
        ['settings.json', 'metrics.txt', 'log.txt'].map((part) => `services/${index + 1}-${service}/${part}`),
    ),
    'applications.json',
    'branches.json',
    'repositories.json',
    'write-repositories.json',
  ])
  for (const shown of [
    'contents.txt',
    '"WADI_ADMIN_TOKEN": "(set)"',
    '"name": "web"',
    'environments/prod',
    'WADI_REPO_PASSWORD',
  ])
    assert.ok(archive.includes(shown), shown)
  assert.match(archive, /wadi_rpc_duration_seconds_count\{/)
  const { mode, size } = await stat(file)
  assert.equal(mode & 0o777, 0o600)
  assert.ok(size < 1024 ** 2, String(size))
  assert.deepEqual(
    (await readdir(mesh.directory)).filter((name) => name.startsWith('support')),
    ['support.tar.gz'],
  )
})

test('without a server a bundle holds what is known here, and why there is no more', async () => {
  await using directory = await temporaryDirectory()
  const run = (...args: string[]) =>
    runWadi(['support-bundle', ...args], {
      directory: directory.path,
      environment: {
        XDG_CACHE_HOME: cacheHome,
        WADI_SERVER: 'http://127.0.0.1:1',
        WADI_AUTH_TOKEN: planted('token'),
      },
    })
  const away = await run()
  assert.equal(away.code, 0, away.stderr)
  assert.match(away.stderr, /the server is left out: .*127\.0\.0\.1:1/)
  assert.match(away.stdout, /^ {2}server-error\.txt: why the server gave no answer$/m)
  const [file = ''] = await readdir(directory.path)
  assert.match(file, /^wadi-support-\d{8}T\d{6}\.tar\.gz$/)
  const archive = gunzipSync(await readFile(join(directory.path, file))).toString()
  assert.match(archive, /"version": "v/)
  assert.doesNotMatch(archive, /canary/)
  const local = await run('--local', '--file', 'local.tar.gz')
  assert.deepEqual([local.stderr, local.code], ['', 0])
  assert.doesNotMatch(local.stdout, /server-error/)
})

test('what looks like a secret is hidden in messages that quote others', () => {
  const hide = withoutSecrets(['given-by-name'])
  const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----'
  const cases: Record<string, string> = {
    'token given-by-name': 'token ***',
    [`line\n${key}\nend`]: 'line\n***\nend',
    'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.abc_def here': 'got *** here',
    'authorization: Bearer abcdefghijk': 'authorization: Bearer ***',
    'clone with ghp_0123456789abcdefghij': 'clone with ***',
    'password: hunter2, user: ada': 'password: ***, user: ada',
    '"clientSecret": "abc", "enabled": true': '"clientSecret": "***", "enabled": true',
    '"WADI_ADMIN_TOKEN": "(set)"': '"WADI_ADMIN_TOKEN": "(set)"',
    'https://ada:pass@git.example.com/x': 'https://git.example.com/x',
  }
  for (const [text, clean] of Object.entries(cases)) assert.equal(hide(text), clean)
})
