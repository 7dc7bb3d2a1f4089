import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

/** The text before the host, and the part of it that nobody may see. */
const logins: readonly (readonly [what: string, login: string, secret: string])[] = [
  ['a password', 'gitlab-ci-token:gl-canary-7d1e', 'gl-canary-7d1e'],
  ['40 digits', '4c0ffee94c0ffee94c0ffee94c0ffee94c0ffee9', '4c0ffee9'],
  ['a token of Bitbucket', 'ATBBcanary7d1eXYZ', 'ATBBcanary'],
]

const application = (name: string, repoURL: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  destination: {server: https://kubernetes.default.svc, namespace: shop}
  sourceHydrator:
    drySource: {repoURL: "${repoURL}", targetRevision: main, path: web}
    syncSource: {targetBranch: env/${name}, path: ${name}}
`

const set = (repoURL: string) => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set, namespace: argocd}
spec:
  goTemplate: true
  generators: [{git: {repoURL: "${repoURL}", revision: main, directories: [{path: "*"}]}}]
  template:
    metadata: {name: "{{ .path.basename }}"}
    spec:
      project: default
      destination: {server: https://kubernetes.default.svc, namespace: shop}
      sourceHydrator:
        drySource: {repoURL: "${repoURL}", targetRevision: main, path: "{{ .path.path }}"}
        syncSource: {targetBranch: env/set, path: "{{ .path.path }}"}
`

const secret = (url: string) => `apiVersion: v1
kind: Secret
metadata: {name: stored, namespace: argocd, labels: {argocd.argoproj.io/secret-type: repository}}
stringData: {url: "${url}"}
`

/** Commands in a checkout whose origin has a login, and with URLs that have one. */
const commands = (url: string, path: string): readonly (readonly string[])[] => [
  ['diff', '--local', '--files', '--base', 'main'],
  ['diff', '--local', '--base', 'main', '-o', 'markdown'],
  ['diff', '--local', '--base', 'main', '-o', 'html'],
  ['diff', '--local', '--base', 'main', '-o', 'json'],
  ['diff', '--local', '--files', '--base', 'main', '--target', 'elsewhere'],
  ['diff', '--local', '--files', '--base', 'main', 'unknown'],
  ['diff', '--revision', 'main'],
  ['diff', '--revision', 'nowhere', '--repo', url],
  ['diff', '--revision', 'main', '--repo', `${url}-other`],
  ['render', 'web'],
  ['render', 'web', '--show-warnings'],
  ['explain', 'web'],
  ['reproduce', 'web', '--repo', url, '--branch', 'env/web'],
  ['reproduce', 'web', '--repo', `${url}/missing`, '--branch', 'env/web'],
  ['reproduce', 'web', '--dry-repo', url],
  ['repo', 'add', url],
  ['repo', 'add', url, '--no-validate', '--write', '--username', 'you', '--password', 'x'],
  ['repo', 'add', url, '--no-validate', '--creds'],
  ['repo', 'add', url, '--no-validate', '--type', 'helm'],
  ['repo', 'add', url.replace('http:', 'oci:'), '--no-validate', '--type', 'helm', '--enable-oci'],
  ['repo', 'add', 'http://127.0.0.1:9/x.git', '--proxy', url],
  [
    'repo',
    'add',
    'http://127.0.0.1:9/y.git',
    '--no-validate',
    '--write',
    '--forge',
    'gitea',
    '--forge-url',
    url,
  ],
  ['repo', 'get', url],
  ['repo', 'get', url, '--refresh', 'hard'],
  ['repo', 'rm', url],
  ['repo', 'list', '-o', 'yaml'],
  [
    'app',
    'create',
    'x',
    '--dry-source-repo',
    url,
    '--dry-source-path',
    'web',
    '--dry-source-revision',
    'main',
    '--sync-source-branch',
    'env/x',
    '--sync-source-path',
    'x',
    '--dest-name',
    'in-cluster',
  ],
  ['app', 'set', 'web', '--dry-source-repo', url],
  ['app', 'set', 'web', '--sync-source-repo', url],
  ['app', 'list', '--repo', url],
  ['app', 'list', '-o', 'yaml'],
  ['app', 'get', 'web', '-o', 'yaml'],
  ['app', 'history', 'web'],
  ['apply', '-f', join(path, 'application.yaml')],
  ['apply', '-f', join(path, 'secret.yaml')],
  ['apply', '-f', url],
  ['apply', '-f', url.replace(/\/\/(?:[^/]*:)?(.*)@(.*)$/, '//$2?access_token=$1')],
  ['appset', 'create', join(path, 'set.yaml')],
  ['appset', 'generate', join(path, 'set.yaml')],
  ['branch', 'get', 'env/web', '--repo', url],
  ['proj', 'create', 'p', '--src', url],
  ['proj', 'add-source', 'default', url],
  ['proj', 'get', 'p', '-o', 'yaml'],
  ['cluster', 'add', url],
  ['app', 'list', '--server', url],
  ['app', 'get', url],
  ['app', 'list', `--unknown=${url}`],
  ['doctor', '--remote'],
  [url],
]

/** The files of a directory that hold a text, the stores and the machine that renderers see left out. */
async function filesWith(root: string, text: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('/containment/roots/')) continue
    const file = join(entry.parentPath, entry.name)
    if ((await readFile(file)).includes(text)) found.push(file)
  }
  return found
}

test('no command, log or file of the server has what stands before the host of a URL', async ({ mock }) => {
  const written: string[] = []
  const tracked = mock.method(process.stderr, 'write', (chunk: string | Uint8Array) => {
    written.push(Buffer.from(chunk).toString())
    return true
  })
  const leaks: string[] = []
  try {
    await using mesh = await startMeshFixture({ environment: { WADI_LOG_LEVEL: 'debug' } })
    const { fixture, address, token } = mesh
    const repository = await fixture.createRepository('web', { 'web/a.yaml': configMap('web', '1') })
    const hydrated = { name: 'web', repoURL: repository.url, branch: 'env/web' }
    await fixture.applyAndWait(await repository.dry.head(), hydrated)
    for (const [what, login, hidden] of logins) {
      const directory = join(fixture.directory, what.replaceAll(' ', '-'))
      const url = repository.url.replace('://', `://${login}@`)
      const copy = await createRepository(directory)
      await copy.commitFiles(
        { 'web/a.yaml': configMap('web', '1'), 'apps.yaml': application('web', repository.url) },
        'First',
      )
      await copy.git.raw(['remote', 'add', 'origin', url])
      const inputs = join(fixture.directory, `${what.replaceAll(' ', '-')}-inputs`)
      await copy.git.raw(['init', '--quiet', inputs])
      await writeFile(join(inputs, 'application.yaml'), application('token', url))
      await writeFile(join(inputs, 'set.yaml'), set(url))
      await writeFile(join(inputs, 'secret.yaml'), secret(url))
      await writeFile(join(directory, 'web/a.yaml'), configMap('web', '2'))
      const environment = {
        WADI_SERVER: address,
        WADI_AUTH_TOKEN: token,
        XDG_CACHE_HOME: join(fixture.directory, 'cache'),
        GIT_TERMINAL_PROMPT: '0',
      }
      for (const args of commands(url, inputs)) {
        const { stdout, stderr } = await runWadi(args, { environment, directory })
        const shown = args.map((word) => word.replace(login, '…')).join(' ')
        for (const [name, output] of Object.entries({ stdout, stderr })) {
          if (output.includes(hidden))
            leaks.push(`${name} of wadi ${shown} has ${what}: ${output.slice(0, 600)}`)
        }
      }
      for (const place of ['data', 'cache']) {
        for (const file of await filesWith(join(fixture.directory, place), hidden)) leaks.push(file)
      }
    }
  } finally {
    tracked.mock.restore()
  }
  const log = written.join('')
  assert.ok(log.length > 1_000)
  for (const line of log.split('\n')) {
    if (logins.some(([, , hidden]) => line.includes(hidden))) leaks.push(`log: ${line}`)
  }
  assert.deepEqual(leaks, [])
})
