import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHydratorMetadata } from './hydrator-metadata.ts'

const sha = '1'.repeat(40)
const nothing = readHydratorMetadata('')

test('a hydrator.metadata is read with everything that others need of it', () => {
  const text = JSON.stringify({
    installation: 'east',
    repoURL: 'https://git.example.com/apps.git',
    chart: 'web',
    version: '1.0.0',
    drySha: sha,
    dryCommits: [{ repoURL: 'https://git.example.com/apps.git', targetRevision: 'main', drySha: sha }],
    drySource: { path: 'apps/a' },
    destinationNamespace: 'web',
    manifestGeneratePaths: '.;/shared',
    applications: [{ name: 'a', metadata: { name: 'a', namespace: 'team' } }],
    tools: [{ name: 'helm', version: 'v4.1.4', sha256: 'f00d' }],
    pluginVariables: { KUBE_VERSION: '1.34.0' },
    files: ['a.conf', 'etc/b'],
    layout: 'file-per-object',
    crds: 'omit',
    manifests: ['service-web.yaml'],
  })
  assert.deepEqual(readHydratorMetadata(text), {
    installation: 'east',
    repoURL: 'https://git.example.com/apps.git',
    chart: 'web',
    version: '1.0.0',
    drySha: sha,
    dryCommits: [{ repoUrl: 'https://git.example.com/apps.git', targetRevision: 'main', drySha: sha }],
    drySource: { path: 'apps/a' },
    hasSources: false,
    destinationNamespace: 'web',
    manifestGeneratePaths: '.;/shared',
    applications: '[{"name":"a","metadata":{"name":"a","namespace":"team"}}]',
    applicationName: 'team_a',
    tools: [{ name: 'helm', version: 'v4.1.4', sha256: 'f00d' }],
    pluginVariables: new Map([['KUBE_VERSION', '1.34.0']]),
    files: ['a.conf', 'etc/b'],
    layout: { files: 'file-per-object', crds: 'omit' },
    manifests: ['service-web.yaml'],
  })
})

test('what cannot be read is empty', () => {
  for (const text of ['{', 'null', '7', '[]', '"text"', '{}']) {
    assert.deepEqual(readHydratorMetadata(text), nothing, text)
  }
  const hostile = {
    repoURL: 7,
    drySha: 'main',
    dryCommits: [null, 'x', { repoURL: 'u', targetRevision: 'main', drySha: '--all' }, { drySha: sha }],
    drySource: 'apps',
    applications: undefined,
    tools: [null, { name: 'helm' }, { name: 7, version: 'v' }],
    pluginVariables: { A: 7 },
    files: ['../up', '/etc/passwd', 'sub/hydrator.metadata', 7],
    layout: 'none',
    crds: 7,
    chart: 7,
    version: ['1'],
    manifests: 'service-web.yaml',
  }
  assert.deepEqual(readHydratorMetadata(JSON.stringify(hostile)), nothing)
})

test('a file that an editor saved is read, and of two dry commits the last counts, as in Go', () => {
  const other = '2'.repeat(40)
  assert.equal(readHydratorMetadata(`\uFEFF{\r\n  "drySha": "${sha}"\r\n}\r\n`).drySha, sha)
  assert.equal(readHydratorMetadata(`{"drySha":"${sha}","drySHA":"${other}"}`).drySha, other)
  assert.equal(readHydratorMetadata(`{"drySHA":"${other}","drySha":"${sha}","x":{"drySha":1}}`).drySha, sha)
  assert.equal(readHydratorMetadata(`{"DRYSHA":"${sha}"}`).drySha, sha)
})

test('the dry commit is read by either spelling of its key', () => {
  assert.equal(readHydratorMetadata(JSON.stringify({ drySHA: sha })).drySha, sha)
  assert.equal(readHydratorMetadata(JSON.stringify({ drySha: 'HEAD', drySHA: sha })).drySha, sha)
})
