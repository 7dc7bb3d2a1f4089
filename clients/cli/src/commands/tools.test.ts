import assert from 'node:assert/strict'
import {
  chmod,
  copyFile,
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { helmOfCharts, kustomizeVersion } from '@wadi/gotemplate/engine-versions.ts'
import { digestOf } from '@wadi/renderer-tools/releases/installed-release.ts'
import {
  packedName,
  packRelease,
  releaseOf,
  reporting,
  startReleaseServer,
} from '@wadi/renderer-tools/releases/release-fixture.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'

const helm = helmOfCharts.slice(1)
let owned: AsyncDisposableStack
let directory: string
let archiveFile: string
let archive: Buffer
before(async () => {
  owned = new AsyncDisposableStack()
  directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-tools-'))).path
  const program =
    renderersMissing === undefined ? await readFile(rendererFiles.kustomize) : reporting('v5.8.3')
  archive = await packRelease({ [packedName('kustomize')]: program })
  archiveFile = path.join(directory, 'kustomize.tar.gz')
  await writeFile(archiveFile, archive)
})
after(() => owned.disposeAsync())

/** A machine with a tools directory of its own, which is removed afterwards. */
function machine() {
  const data = path.join(directory, 'data')
  const environment = { XDG_CACHE_HOME: cacheHome, XDG_DATA_HOME: data, PATH: '/usr/bin:/bin' }
  return {
    directory: path.join(data, 'wadi/tools'),
    run: async (args: readonly string[], more: Record<string, string> = {}) =>
      runWadi(['tools', ...args], { environment: { ...environment, ...more } }),
    environment,
    [Symbol.asyncDispose]: () => rm(data, { recursive: true, force: true }),
  }
}

test('a version is added from its archive, listed, verified, used by local rendering and removed', async () => {
  await using here = machine()
  const added = await here.run([
    'add',
    'kustomize',
    'v5.8.3',
    '--from',
    archiveFile,
    '--sha256',
    digestOf(archive),
  ])
  const program = path.join(here.directory, 'kustomize/5.8.3/kustomize')
  const sha256 = digestOf(await readFile(program))
  assert.deepEqual(
    [added.code, added.stdout],
    [0, `kustomize 5.8.3 added: ${program} (sha256:${sha256})\n`],
    added.stderr,
  )
  const again = await here.run(['add', 'kustomize', '5.8.3'])
  assert.equal(again.stdout, `kustomize 5.8.3 is already there: ${program} (sha256:${sha256})\n`)

  const { stdout } = await here.run(['list'])
  assert.match(stdout, /^TOOL +VERSION +FROM +USED +ENGINE +SHA256$/m)
  assert.match(
    stdout,
    RegExp(`^helm +${helm.replaceAll('.', '\\.')} +brought +by default +yes +\\w{64}$`, 'm'),
  )
  assert.match(
    stdout,
    RegExp(`^kustomize +5\\.8\\.3 +directory +when git names it or a branch keeps it +yes +${sha256}$`, 'm'),
  )
  const names = await here.run(['list', '-o', 'name'])
  assert.deepEqual(names.stdout.split('\n'), [
    `helm/${helm}`,
    `kustomize/${kustomizeVersion.slice(1)}`,
    'kustomize/5.8.3',
    '',
  ])
  const listed: Record<string, unknown>[] = JSON.parse((await here.run(['list', '-o', 'json'])).stdout)
  assert.deepEqual(listed.at(-1), {
    name: 'kustomize',
    version: '5.8.3',
    origin: 'directory',
    isDefault: false,
    hasEngine: true,
    sha256,
    program,
  })

  const verified = await here.run(['verify'])
  assert.equal(verified.code, 0, verified.stderr)
  assert.match(verified.stdout, /^kustomize +5\.8\.3 +directory +ok *$/m)
  assert.match(verified.stdout, /^helm +\S+ +brought +unrecorded +no digest is recorded beside it/m)

  const source = path.join(directory, 'source')
  await mkdir(source, { recursive: true })
  await writeFile(path.join(source, 'wadi.yaml'), 'tools: {kustomize: 5.8.3}\n')
  await writeFile(
    path.join(source, 'kustomization.yaml'),
    'configMapGenerator: [{name: c, literals: [a=b]}]\n',
  )
  const rendered = await runWadi(['render', source], { environment: here.environment })
  assert.match(rendered.stdout, /kind: ConfigMap/, rendered.stderr)

  const removed = await here.run(['rm', 'kustomize', '5.8.3', '--yes'])
  assert.deepEqual([removed.code, removed.stdout], [0, 'kustomize 5.8.3 removed\n'])
  const gone = await here.run(['rm', 'kustomize', '5.8.3', '--yes'])
  assert.equal(gone.code, 20)
  assert.match(gone.stderr, /kustomize 5\.8\.3 is not in \S+, and nothing else is removed; installed are 5\./)
  const pinned = await runWadi(['render', source], { environment: here.environment })
  assert.match(
    pinned.stderr,
    /wadi\.yaml:1:9: tools\.kustomize: kustomize 5\.8\.3 is not installed; choose one of those that are/,
  )
})

test('a program that was changed fails the verification with exit code 20, and is added again', async () => {
  await using here = machine()
  const add = ['add', 'kustomize', '5.8.3', '--from', archiveFile, '--sha256', digestOf(archive)]
  await here.run(add)
  const program = path.join(here.directory, 'kustomize/5.8.3/kustomize')
  await writeFile(program, reporting('v5.8.3'))
  const failed = await here.run(['verify', '-o', 'json'])
  assert.equal(failed.code, 20)
  assert.match(failed.stderr, /not what they have to be: kustomize 5\.8\.3/)
  const verdicts: Record<string, string>[] = JSON.parse(failed.stdout)
  assert.match(
    verdicts.find(({ version }) => version === '5.8.3')?.['message'] ?? '',
    /has the digest sha256:\w{64}, and that of its archive is \w{64}$/,
  )
  await rm(`${program}.tar.gz`)
  assert.match(
    (await here.run(['verify'])).stdout,
    /kustomize +5\.8\.3 +directory +failed +.*kustomize\.sha256 says/,
  )
  assert.equal((await here.run(add)).code, 0)
  assert.equal((await here.run(['verify'])).code, 0)
})

test('what nobody vouches for is not added', async () => {
  await using here = machine()
  const fails = async (args: readonly string[], message: RegExp, code = 20): Promise<void> => {
    const failed = await here.run(args)
    assert.deepEqual([failed.code, failed.stdout], [code, ''], failed.stderr)
    assert.match(failed.stderr, message)
  }
  const other = path.join(directory, 'helm')
  await writeFile(other, reporting('v4.9.8'))
  await fails(
    ['add', 'kustomize', '5.8.3', '--from', archiveFile],
    /kustomize 5\.8\.3 is not in the list of releases \S+releases\.txt \(5\.\S+.*\): give its digest with --sha256/,
  )
  await fails(['add', 'helm', '4.9.9'], /--from FILE --sha256 DIGEST, .* WADI_TOOL_LIST/)
  await fails(
    ['add', 'kustomize', '5.8.3', '--from', archiveFile, '--sha256', 'a'.repeat(64)],
    /has the digest sha256:\w{64} and not sha256:a{64}, as --sha256 says; nothing was added/,
  )
  await fails(
    ['add', 'helm', '4.2.4', '--from', archiveFile],
    /has the digest sha256:\w{64} and not sha256:\w{64}, as \S+releases\.txt says/,
  )
  const digest = digestOf(await readFile(other))
  await fails(
    ['add', 'helm', '4.9.9', '--from', other, '--sha256', digest],
    /the program is helm v4\.9\.8 and not 4\.9\.9/,
  )
  await fails(
    ['add', 'helm', '4.9.9', '--from', archiveFile, '--sha256', digestOf(archive)],
    /the archive has no program helm/,
  )
  await fails(['add', 'hlem', '4.9.9'], /hlem" must be helm or kustomize/, 1)
  await fails(['add', 'helm', '^4'], /\^4" must be one exact version/, 1)
  await fails(['add', 'helm', '4.9.9', '--from', directory, '--sha256', digest], /is not a file/, 1)
  await fails(['rm', 'helm', helm, '--yes'], /is the version that renders by default .*WADI_HELM first/)
  await assert.rejects(stat(path.join(here.directory, 'helm/4.9.9')))
})

test('a program alone is added by its digest', async () => {
  await using here = machine()
  const file = path.join(directory, 'helm-4.9.8')
  await writeFile(file, reporting('v4.9.8'))
  const digest = digestOf(await readFile(file))
  const added = await here.run(['add', 'helm', '4.9.8', '--from', file, '--sha256', `sha256:${digest}`])
  assert.equal(added.code, 0, added.stderr)
  assert.match((await here.run(['verify'])).stdout, /^helm +4\.9\.8 +directory +ok *$/m)
  assert.equal(
    await readFile(path.join(here.directory, 'helm/4.9.8/helm.sha256'), 'utf8'),
    `${digest}  helm\n`,
  )
})

test('several processes that add a version at once all end well, and leave one whole version', async () => {
  await using here = machine()
  const packed = await packRelease({ [packedName('helm')]: reporting('v4.9.4') })
  const file = path.join(directory, 'helm-4.9.4.tar.gz')
  await writeFile(file, packed)
  const args = ['tools', 'add', 'helm', '4.9.4', '--from', file, '--sha256', digestOf(packed)]
  const runs = await Promise.all(
    [1, 2, 3].map(async () => runWadi(args, { environment: here.environment, inOwnProcess: true })),
  )
  for (const { code, stderr } of runs) assert.equal(code, 0, stderr)
  assert.deepEqual(await readdir(path.join(here.directory, 'helm')), ['4.9.4'])
  assert.match((await here.run(['verify'])).stdout, /^helm +4\.9\.4 +directory +ok *$/m)
})

test('a program that an operator put into the directory is listed, and nothing is recorded of it', async () => {
  await using here = machine()
  const toolsDirectory = path.join(directory, 'by-hand')
  const program = path.join(toolsDirectory, 'helm/4.9.7/helm')
  await mkdir(path.dirname(program), { recursive: true })
  await writeFile(program, reporting('v4.9.6'))
  await chmod(program, 0o755)
  await mkdir(path.join(toolsDirectory, 'helm/4.9.5'))
  await copyFile(program, path.join(toolsDirectory, 'helm/4.9.5/helm'))
  await writeFile(path.join(toolsDirectory, 'helm/4.9.5/helm'), reporting('v4.9.5'))
  const verified = await here.run(['verify'], { WADI_TOOLS_DIRECTORY: toolsDirectory })
  assert.equal(verified.code, 20)
  assert.match(verified.stdout, /^helm +4\.9\.7 +directory +failed +\S+ is helm v4\.9\.6 and not 4\.9\.7$/m)
  assert.match(verified.stdout, /^helm +4\.9\.5 +directory +unrecorded /m)
})

test(
  'a release of the list is downloaded from a mirror with an authority of its own',
  { skip: noOpenssl },
  async () => {
    await using here = machine()
    await using server = await startReleaseServer()
    const release = releaseOf('kustomize', '5.8.3', archive)
    server.publish(release, archive)
    const list = path.join(directory, 'list.txt')
    await writeFile(list, server.list())
    const environment = {
      ...here.environment,
      WADI_TOOL_LIST: list,
      WADI_KUSTOMIZE_RELEASES: server.addresses.kustomize,
      NODE_EXTRA_CA_CERTS: server.authorityFile,
    }
    const add = async () =>
      runWadi(['tools', 'add', 'kustomize', '5.8.3'], { environment, inOwnProcess: true })
    server.answers.set(server.pathOf(release), (response) => response.writeHead(403).end())
    const refused = await add()
    assert.equal(refused.code, 20)
    assert.match(refused.stderr, /answers 403: releases are downloaded without a user/)
    server.answers.clear()
    const added = await add()
    assert.equal(added.code, 0, added.stderr)
    assert.match(added.stdout, /^kustomize 5\.8\.3 added: /)
    const offline = await here.run(['verify'], { WADI_TOOL_LIST: list })
    assert.match(offline.stdout, /^kustomize +5\.8\.3 +directory +ok *$/m)
  },
)

test('shells complete the names of tools and versions', async () => {
  await using here = machine()
  const there = await runWadi(['__complete', 'tools'], { environment: here.environment })
  assert.ok(there.stdout.split('\n').includes(helm), there.stderr)
  const listed = await runWadi(['__complete', 'tool-releases'], { environment: here.environment })
  assert.match(listed.stdout, /^helm\nkustomize\n(?:\d+\.\d+\.\d+\n){10,}$/)
})
