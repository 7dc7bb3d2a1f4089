// Own process: it packs hundreds of megabytes and runs npm.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { packNpmPackages } from './npm-package.ts'
import { writeChecksums } from './checksums.ts'
import { nodePackage, packAs, packNode } from './packages-fixture.ts'
import { checkoutVersion, layerPackage } from './package-manifest.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const skip =
  process.platform !== 'linux' || process.arch !== 'x64'
    ? 'the packages of Node.js and the renderers are installed from this checkout, which has those for Linux on x64'
    : spawnSync('npm', ['--version']).status === 0
      ? false
      : 'npm is missing'

const former = '0.0.1'
const owned = new AsyncDisposableStack()
let version = ''
let packages = ''

before(async () => {
  if (skip !== false) return
  const scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-npm-'))
  owned.use(scratch)
  packages = scratch.path
  version = await checkoutVersion(root)
  await using unpacked = await mkdtempDisposable(path.join(packages, 'unpacked-'))
  await packNpmPackages(root, version, packages, unpacked.path, 'as they are')
})
after(() => owned.disposeAsync())

/** An empty home and an empty prefix, in which npm installs without a network. */
async function emptyMachine() {
  const directory = await mkdtempDisposable(path.join(packages, 'machine-'))
  const [prefix, home] = ['prefix', 'home'].map((name) => path.join(directory.path, name))
  assert.ok(prefix !== undefined && home !== undefined)
  await mkdir(home)
  const env = {
    PATH: withoutOwnPrograms(process.env['PATH'] ?? ''),
    HOME: home,
    WADI_ALLOW_FILE_URLS: 'true',
    GIT_CONFIG_NOSYSTEM: '1',
    TMPDIR: directory.path,
  }
  const options = { cwd: directory.path, env, timeout: hangLimitMs }
  return {
    prefix,
    home,
    directory: directory.path,
    npm: (...args: string[]) => run('npm', ['--global', '--offline', '--prefix', prefix, ...args], options),
    wadi: (...args: string[]) => run(path.join(prefix, 'bin/wadi'), args, options),
    up: () => startUp(path.join(prefix, 'bin/wadi'), options),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

/** A search path on which no program of this checkout is. */
function withoutOwnPrograms(searchPath: string): string {
  return searchPath
    .split(path.delimiter)
    .filter((directory) => !directory.includes('node_modules'))
    .join(path.delimiter)
}

async function startUp(command: string, { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
  const child: ChildProcess = spawn(command, ['up', '--listen', '127.0.0.1:0'], {
    cwd,
    env: { ...env, WADI_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  assert.ok(child.stdout !== null)
  let serves = false
  for await (const line of createInterface({ input: child.stdout })) {
    serves = line.startsWith('Ctrl-C')
    if (serves) break
  }
  assert.ok(serves, 'wadi up ended')
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** A repository with a chart and a kustomization, and a clone of it. */
async function writeRepository(directory: string) {
  const bare = path.join(directory, 'deploy.git')
  const work = path.join(directory, 'work')
  const map = (name: string, value: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {value: "${value}"}\n`
  const files = {
    'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'chart/values.yaml': 'value: one\n',
    'chart/templates/map.yaml': map('{{ .Release.Name }}', '{{ .Values.value }}'),
    'base/kustomization.yaml': 'resources: [map.yaml]\nnamePrefix: prod-\n',
    'base/map.yaml': map('web', 'one'),
  }
  await runTestGit(directory, ['init', '--quiet', '--bare', '--initial-branch=main', bare])
  await runTestGit(directory, ['clone', '--quiet', bare, work])
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(work, file)), { recursive: true })
    await writeFile(path.join(work, file), text)
  }
  const push = async (): Promise<void> => {
    await runTestGit(work, ['add', '.'])
    await runTestGit(work, ['-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qm', 'Change'])
    await runTestGit(work, ['push', '--quiet', 'origin', 'HEAD:main'])
  }
  const hydrated = () => runTestGit(bare, ['show', 'environments/prod:base/manifest.yaml'])
  return { url: `file://${bare}`, work, push, hydrated }
}

/** Writes an Application that hydrates the kustomization. */
async function writeApplication(directory: string, repoURL: string): Promise<string> {
  const file = path.join(directory, 'application.yaml')
  await writeFile(
    file,
    `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web}
spec:
  project: default
  destination: {server: https://kubernetes.default.svc, namespace: web}
  sourceHydrator:
    drySource: {repoURL: ${repoURL}, targetRevision: main, path: base}
    syncSource: {targetBranch: environments/prod, path: base}
`,
  )
  return file
}

test(
  'the npm package has at most 27 MB before a release compresses its programs once more, and a second build of it has the same bytes',
  { skip },
  async () => {
    const name = `wadi-${version}.tgz`
    const { size } = await stat(path.join(packages, name))
    assert.ok(size <= 27_000_000, `${size} bytes`)
    const first = await sumsOf(await archivesIn(packages))
    const again = path.join(packages, 'again')
    await mkdir(again)
    await packNpmPackages(root, version, again, path.join(packages, 'unpacked'), 'as they are')
    assert.equal(await sumsOf(again), first)
  },
)

async function sumsOf(directory: string): Promise<string> {
  await writeChecksums(directory)
  return await readFile(path.join(directory, 'SHA256SUMS'), 'utf8')
}

/** A directory with copies of the archives alone. */
async function archivesIn(directory: string): Promise<string> {
  const copies = path.join(directory, 'archives')
  await mkdir(copies)
  for (const name of await readdir(directory)) {
    if (name.endsWith('.tgz')) await cp(path.join(directory, name), path.join(copies, name))
  }
  return copies
}

test('npm installs it without a network, upgrades it with its data, and removes it', { skip }, async () => {
  await using machine = await emptyMachine()
  const { npm, wadi, up, directory } = machine
  const renderers = `${layerPackage}@file:${path.join(packages, `wadi-renderers-${version}.tgz`)}`
  await npm('install', await packNode(packages), renderers, await packAs(packages, version, former))
  assert.match(
    (await wadi('version', '--client')).stdout,
    new RegExp(`^wadi: v${former}\n.*NodeVersion: v26`),
  )

  const repository = await writeRepository(directory)
  await repository.push()
  const chart = await wadi('render', path.join(repository.work, 'chart'))
  assert.match(chart.stdout, /kind: ConfigMap\n[^]*name: release-name\n/)
  const kustomization = await wadi('render', path.join(repository.work, 'base'))
  assert.match(kustomization.stdout, /name: prod-web\n/)

  {
    await using _ = await up()
    await wadi('repo', 'add', repository.url)
    await wadi('repo', 'add', repository.url, '--write')
    await wadi('apply', '-f', await writeApplication(directory, repository.url))
    await wadi('app', 'wait', 'web')
    assert.match(await repository.hydrated(), /value: one\n/)
  }

  await npm('install', path.join(packages, `wadi-${version}.tgz`))
  assert.match((await wadi('version', '--client')).stdout, new RegExp(`^wadi: v${version}\n`))
  {
    await using _ = await up()
    const file = path.join(repository.work, 'base/map.yaml')
    await writeFile(file, (await readFile(file, 'utf8')).replace('one', 'two'))
    await repository.push()
    await wadi('app', 'hydrate', 'web', '--wait')
    assert.match(await repository.hydrated(), /value: two\n/)
  }

  await npm('uninstall', 'wadi', nodePackage, layerPackage)
  assert.deepEqual(await filesBelow(machine.prefix), [])
  assert.deepEqual(
    (await filesBelow(machine.home)).filter(
      (file) => !/^(?:\.npm|\.local\/share\/wadi|\.config\/wadi|\.cache\/wadi)\//.test(file),
    ),
    [],
  )
})

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
}
