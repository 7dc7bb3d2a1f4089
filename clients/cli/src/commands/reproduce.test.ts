import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { simpleGit } from 'simple-git'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

const manifest = `apiVersion: v1
data:
  big: 9007199254740993
kind: ConfigMap
metadata:
  name: settings
`

async function repositoryWithBranches(directory: string): Promise<string> {
  const git = simpleGit(directory)
  await git.init(['--initial-branch=main'])
  await git.addConfig('user.name', 'Test').addConfig('user.email', 'test@example.com')
  await mkdir(join(directory, 'apps', 'guestbook'), { recursive: true })
  await writeFile(join(directory, 'apps', 'guestbook', 'all.yaml'), manifest)
  await git.add('.').commit('Add guestbook')
  const drySha = (await git.revparse('HEAD')).trim()
  await git.raw(['switch', '--quiet', '--orphan', 'env'])
  await mkdir(join(directory, 'guestbook'))
  await writeFile(join(directory, 'guestbook', 'manifest.yaml'), manifest)
  await writeFile(
    join(directory, 'guestbook', 'hydrator.metadata'),
    JSON.stringify({ drySha, repoURL: directory }),
  )
  await git.add('.').commit('Hydrate')
  await git.checkout('main')
  return drySha
}

test('a working tree renders to the bytes of manifest.yaml, and JSON keeps long integers', async () => {
  await using directory = await temporaryDirectory()
  await repositoryWithBranches(directory.path)
  const environment = { XDG_CACHE_HOME: cacheHome }
  const source = join(directory.path, 'apps', 'guestbook')
  const yaml = await runWadi(['render', source], { environment })
  assert.deepEqual([yaml.stdout, yaml.stderr, yaml.code], [manifest, '', 0])
  const json = await runWadi(['render', source, '-o', 'json'], { environment })
  assert.match(json.stdout, /^ {6}"big": 9007199254740993$/m)
  const names = await runWadi(['render', source, '-o', 'name'], { environment })
  assert.equal(names.stdout, 'configmap/settings\n')
})

test('what was hydrated from a chart is not in git, and the error says where it is', async () => {
  await using directory = await temporaryDirectory()
  await repositoryWithBranches(directory.path)
  const git = simpleGit(directory.path)
  await git.checkout('env')
  const record = {
    drySha: '1'.repeat(64),
    repoURL: 'https://charts.example.com',
    chart: 'web',
    version: '1.2.0',
  }
  await writeFile(join(directory.path, 'guestbook', 'hydrator.metadata'), JSON.stringify(record))
  await git.add('.').commit('Hydrate a chart')
  const { stderr, code } = await runWadi([
    'reproduce',
    '--repo',
    directory.path,
    '--branch',
    'env',
    'guestbook',
  ])
  assert.match(
    stderr,
    /chart web 1\.2\.0 of https:\/\/charts\.example\.com is not in git; its README\.md says how/,
  )
  assert.equal(code, 20)
})

test('a hydrated branch is reproduced from its own record', async () => {
  await using directory = await temporaryDirectory()
  const drySha = await repositoryWithBranches(directory.path)
  const environment = { XDG_CACHE_HOME: cacheHome }
  const args = [
    'reproduce',
    '--repo',
    directory.path,
    '--branch',
    'env',
    '--dry-path',
    'apps/guestbook',
    'guestbook',
  ]
  const { stdout, stderr, code } = await runWadi(args, { environment })
  assert.equal(stderr, '')
  assert.equal(stdout, `guestbook: manifest.yaml is reproduced byte for byte from ${drySha.slice(0, 7)}\n`)
  assert.equal(code, 0)
})

test('manifests that do not come from the recorded commit end with 1 and the difference', async () => {
  await using gateway = await Gateway.start()
  await using directory = await temporaryDirectory()
  const drySha = await repositoryWithBranches(directory.path)
  gateway.applications.set('guestbook', sampleApplication('guestbook', { phase: 'Hydrated', dry: '1' }))
  const metadata = JSON.stringify({ drySha, repoURL: 'https://git.example.com/deploy.git' })
  gateway.manifests = () => ({ manifest: manifest.replace('settings', 'tampered'), metadata })
  const { stdout, code } = await runWadi(['reproduce', 'guestbook', '--dry-repo', directory.path], {
    environment: { ...gateway.environment, XDG_CACHE_HOME: cacheHome },
  })
  assert.equal(code, 1)
  assert.match(stdout, /===== \/ConfigMap \/tampered ======/)
  assert.match(stdout, /guestbook: [0-9a-f]{7} renders to 2 differing objects\n$/)
})

test('manifests whose Secrets the server hides cannot be reproduced, which the error says', async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set('guestbook', sampleApplication('guestbook', { phase: 'Hydrated', dry: '1' }))
  gateway.manifests = () => ({ manifest, hiddenSecrets: 1 })
  const { stderr, code } = await runWadi(['reproduce', 'guestbook'], { environment: gateway.environment })
  assert.equal(code, 20)
  assert.match(stderr, /the manifests of guestbook have Secrets, whose values need the right secrets, get/)
})

test('files of a package are written to a directory, and reproduced or named when they differ', async () => {
  await using directory = await temporaryDirectory()
  await repositoryWithBranches(directory.path)
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(directory.path, dirname(path)), { recursive: true })
    await writeFile(join(directory.path, path), text)
  }
  const git = simpleGit(directory.path)
  await write(
    'pack/zarf.yaml',
    'kind: ZarfPackageConfig\nmetadata: {name: pack}\ncomponents:\n  - {name: c, required: true, files: [{source: f, target: etc/f, template: true}]}\n',
  )
  await write('pack/f', 'text\n')
  await git.add('.').commit('Add a package')
  const drySha = (await git.revparse('HEAD')).trim()
  const environment = { XDG_CACHE_HOME: cacheHome }
  const out = join(directory.path, 'out/pack')
  const rendered = await runWadi(['render', join(directory.path, 'pack'), '--output-dir', out], {
    environment,
  })
  assert.deepEqual([rendered.stdout, rendered.stderr, rendered.code], ['', '', 0])
  assert.equal(await readFile(join(out, 'manifest.yaml'), 'utf8'), '')
  assert.equal(await readFile(join(out, 'files/etc/f'), 'utf8'), 'text\n')
  const again = await runWadi(['render', join(directory.path, 'pack'), '--output-dir', out], { environment })
  assert.match(again.stderr, /out\/pack is not empty; name another directory/)

  await git.checkout('env')
  const metadata = {
    drySha,
    repoURL: directory.path,
    drySource: { path: 'pack' },
    files: ['etc/f'],
    parameters: [],
  }
  await write('pack/hydrator.metadata', JSON.stringify(metadata))
  await write('pack/manifest.yaml', '')
  await write('pack/files/etc/f', 'text\n')
  await write('pack/files/theirs', 'theirs\n')
  await git.add('pack').commit('Hydrate the package')
  const args = ['reproduce', '--repo', directory.path, '--branch', 'env', 'pack']
  const same = await runWadi(args, { environment })
  const short = drySha.slice(0, 7)
  assert.deepEqual(
    [same.stdout, same.code],
    [`pack: manifest.yaml and 1 file are reproduced byte for byte from ${short}\n`, 0],
  )
  await write('pack/files/etc/f', 'tampered\n')
  await git.add('pack').commit('Tamper')
  const other = await runWadi(args, { environment })
  assert.deepEqual(
    [other.stdout, other.code],
    [`files/etc/f differs\npack: ${short} renders to 1 differing files\n`, 1],
  )
})

test('an Application with several dry sources is named, with where it says how to reproduce it', async () => {
  await using gateway = await Gateway.start()
  const source = { repoURL: 'https://git.example.com/deploy.git', targetRevision: 'main', path: 'a' }
  gateway.applications.set('shop', {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: { sourceHydrator: { drySources: [source, source], syncSource: { targetBranch: 'b', path: 'a' } } },
  })
  const { stderr, code } = await runWadi(['reproduce', 'shop'], { environment: gateway.environment })
  assert.equal(code, 20)
  assert.match(stderr, /application shop has several dry sources.*; the README\.md of its directory says how/)
})
