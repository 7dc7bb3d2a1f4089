import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import {
  archiveRequests,
  fileRequest,
  readAnnouncementList,
  readConfiguration,
  readManifests,
  readMatch,
} from './argocd-messages-fixture.ts'
import { startSidecarFixture } from './cmp-server-fixture.ts'
import { directory, goArchive, link, type TarEntry } from './go-tar-fixture.ts'

const plugin = `
apiVersion: argoproj.io/v1alpha1
kind: ConfigManagementPlugin
metadata: {name: lister}
spec:
  version: v1.0
  init: {command: [sh, -c, 'echo prepared > state']}
  generate:
    command: [sh, -c]
    args:
    - |
      set -e
      printf 'apiVersion: v1\\nkind: Listing\\nmetadata: {name: %s}\\nstate: %s\\n' "$ARGOCD_APP_NAME" "$(cat state)"
      printf 'head: "%s"\\nempty: "%s"\\nreplicas: "%s"\\nfiles:\\n' "$(cat ../../.git/HEAD)" "\${ARGOCD_ENV_EMPTY-unset}" "$PARAM_REPLICAS"
      cd ../.. && rm apps/one/state && find . -mindepth 1 -printf '- "%P|%y|%m|%l"\\n' | sort
      printf -- '---\\n{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"second"}}\\n'
  discover: {find: {glob: '**/tool.yaml'}}
  parameters:
    static:
    - {name: fixed, title: Fixed, tooltip: A tip, required: true, itemType: number, string: '1'}
    - {name: labels, collectionType: map, map: {b: '2', a: '1'}}
    dynamic: {command: [cat, params.json]}
`
const longName = `apps/one/${'long-'.repeat(25)}name.txt`
const deepName = `apps/${'deep/'.repeat(20)}${'x'.repeat(60)}`
const deepDirectories = Array.from({ length: 20 }, (_, depth) => `apps/${'deep/'.repeat(depth)}deep`)
const files: TarEntry[] = [
  directory('.'),
  directory('.git'),
  { name: '.git/HEAD', content: 'ref: refs/heads/main\n' },
  directory('apps', 0o700),
  ...deepDirectories.map((name) => directory(name)),
  { name: deepName, content: 'deep' },
  directory('apps/one'),
  { name: longName, content: 'long' },
  link('apps/one/hosts', '../../shared.yaml'),
  { name: 'apps/one/params.json', content: '[{"name":"printed","collectionType":"array","array":["x",""]}]' },
  { name: 'apps/one/run.sh', content: '#!/bin/sh\n', mode: 0o4755 },
  { name: 'apps/one/tool.yaml', content: 'a: b\n' },
  link('apps/one/top', '../..'),
  directory('apps/two'),
  { name: 'apps/two/größe.yaml', content: 'a: b\n' },
  link('gone', 'nowhere'),
  { name: 'shared.yaml', content: randomBytes(20_000) },
]
const archive = goArchive(files)
const env = [
  ['ARGOCD_APP_NAME', 'first'],
  ['ARGOCD_APP_NAME', 'guestbook'],
  ['', 'without a name'],
  ['ARGOCD_ENV_EMPTY', ''],
  ['ARGOCD_APP_PARAMETERS', '[{"name":"replicas","string":"3"}]'],
  ['PARAM_REPLICAS', '3'],
] as const
const one = archiveRequests(archive, { appName: 'one', appRelPath: 'apps/one', env })

const listed = [
  '.git|d|755|',
  '.git/HEAD|f|644|',
  'apps|d|755|',
  ...deepDirectories.map((name) => `${name}|d|755|`),
  `${deepName}|f|644|`,
  'apps/one|d|755|',
  'apps/one/hosts|l|777|../../shared.yaml',
  `${longName}|f|644|`,
  'apps/one/params.json|f|644|',
  'apps/one/run.sh|f|644|',
  'apps/one/tool.yaml|f|644|',
  'apps/one/top|l|777|../..',
  'apps/two|d|755|',
  'apps/two/größe.yaml|f|644|',
  'gone|l|777|nowhere',
  'shared.yaml|f|644|',
]

test("Argo CD's repo-server has an application matched, its manifests made and its parameters announced", async () => {
  await using sidecar = await startSidecarFixture(plugin)
  const { client } = sidecar
  assert.equal(sidecar.address, `unix:${sidecar.directory}/lister-v1.0.sock`)

  const first = readConfiguration(await client.unary('CheckPluginConfiguration'))
  assert.deepEqual([first.isDiscoveryConfigured, first.provideGitCreds], [true, false])
  assert.ok(first.skipped.has(100), 'the fields that only Wadi knows are there to be skipped')
  assert.deepEqual(readMatch(await client.upload('MatchRepository', one)), {
    isSupported: true,
    isDiscoveryEnabled: true,
  })
  await client.unary('CheckPluginConfiguration')
  const { manifests, sourceType } = readManifests(await client.upload('GenerateManifest', one))
  assert.equal(sourceType, '')
  assert.equal(manifests.length, 2)
  assert.deepEqual(JSON.parse(manifests[1] ?? ''), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'second' },
  })
  const { files: found, ...rest } = JSON.parse(manifests[0] ?? '')
  assert.deepEqual(rest, {
    apiVersion: 'v1',
    kind: 'Listing',
    metadata: { name: 'guestbook' },
    state: 'prepared',
    head: 'ref: refs/heads/main',
    empty: '',
    replicas: '3',
  })
  assert.deepEqual(new Set(found), new Set(listed))
  assert.deepEqual(readAnnouncementList(await client.upload('GetParametersAnnouncement', one)), [
    { name: 'printed', collectionType: 'array', array: ['x', ''] },
    {
      name: 'fixed',
      title: 'Fixed',
      tooltip: 'A tip',
      itemType: 'number',
      collectionType: 'string',
      string: '1',
      required: true,
    },
    {
      name: 'labels',
      collectionType: 'map',
      map: [
        ['b', '2'],
        ['a', '1'],
      ],
    },
  ])
  assert.deepEqual(await sidecar.leftOvers(), [])
})

test('a directory without what the plugin looks for is not its own', async () => {
  await using sidecar = await startSidecarFixture(plugin)
  const answer = await sidecar.client.upload(
    'MatchRepository',
    archiveRequests(archive, { appRelPath: 'apps/two' }),
  )
  assert.deepEqual(readMatch(answer), { isSupported: false, isDiscoveryEnabled: true })
})

test('a plugin without discovery reports it and matches nothing', async () => {
  await using sidecar = await startSidecarFixture(plugin.replace(/ {2}discover:.*\n/, ''))
  const { isDiscoveryConfigured } = readConfiguration(await sidecar.client.unary('CheckPluginConfiguration'))
  assert.equal(isDiscoveryConfigured, false)
  const answer = await sidecar.client.upload('MatchRepository', one)
  assert.deepEqual(readMatch(answer), { isSupported: false, isDiscoveryEnabled: false })
})

test('the files keep their permissions where the plugin wants them, set-user-id apart', async () => {
  const preserving = plugin.replace('  version: v1.0', '  version: v1.0\n  preserveFileMode: true')
  await using sidecar = await startSidecarFixture(preserving)
  const answer = readManifests(await sidecar.client.upload('GenerateManifest', one))
  const { files: found } = JSON.parse(answer.manifests[0] ?? '')
  assert.ok(found.includes('apps/one/run.sh|f|755|'))
  assert.ok(found.includes('shared.yaml|f|644|'))
})

test('parts of any size are taken, empty ones and one of 20 MiB among them', async () => {
  await using sidecar = await startSidecarFixture(plugin)
  const large = goArchive([...files, { name: 'large.bin', content: randomBytes(20 * 1024 ** 2) }])
  const whole = archiveRequests(large, { appRelPath: 'apps/one', env }, large.length)
  const empty = fileRequest(Buffer.alloc(0))
  const answer = await sidecar.client.upload('GenerateManifest', [
    ...whole.slice(0, 1),
    empty,
    ...whole.slice(1),
    empty,
  ])
  assert.equal(readManifests(answer).manifests.length, 2)
})

test('an answer of 20 MiB comes through', async () => {
  const mebibyte = `{"kind":"Large","data":"${'x'.repeat(1024 ** 2)}"}`
  await using sidecar = await startSidecarFixture(`
apiVersion: argoproj.io/v1alpha1
kind: ConfigManagementPlugin
metadata: {name: large}
spec: {generate: {command: [sh, -c, 'for n in 1 2 3 4 5 6 7 8 9 10; do cat one one; done']}}
`)
  const large = goArchive([directory('.'), { name: 'one', content: mebibyte }])
  const { manifests } = readManifests(await sidecar.client.upload('GenerateManifest', archiveRequests(large)))
  assert.equal(manifests.length, 20)
  assert.ok(manifests.every((manifest) => manifest === mebibyte))
})

test('a size other than the true one does no harm, as nobody relies on it', async () => {
  await using sidecar = await startSidecarFixture(plugin)
  const messages = archiveRequests(archive, { appRelPath: 'apps/one', env, size: 3n })
  assert.equal(readManifests(await sidecar.client.upload('GenerateManifest', messages)).manifests.length, 2)
})

test('calls at the same time have files of their own', async () => {
  const generate = 'echo "$ARGOCD_APP_NAME" >> name; sleep 0.1; cat name'
  await using sidecar = await startSidecarFixture(`
apiVersion: argoproj.io/v1alpha1
kind: ConfigManagementPlugin
metadata: {name: writer}
spec: {generate: {command: [sh, -c, '${generate}']}}
`)
  const names = Array.from({ length: 12 }, (_, index) => `{"kind":"Name","metadata":{"name":"app-${index}"}}`)
  const small = goArchive([directory('.'), { name: 'name', content: '' }])
  const answers = await Promise.all(
    names.map((name) =>
      sidecar.client.upload('GenerateManifest', archiveRequests(small, { env: [['ARGOCD_APP_NAME', name]] })),
    ),
  )
  assert.deepEqual(
    answers.map((answer) => readManifests(answer).manifests),
    names.map((name) => [name]),
  )
  assert.deepEqual(await sidecar.leftOvers(), [])
})

test('a command that fails is reported with its status and what it wrote to its error output', async () => {
  const failing = plugin.replace('set -e\n', 'echo "no such chart" >&2; exit 7\n')
  await using sidecar = await startSidecarFixture(failing)
  await assert.rejects(sidecar.client.upload('GenerateManifest', one), {
    code: status.INVALID_ARGUMENT,
    details: /`sh -c .* failed exit status 7: no such chart$/s,
  })
  assert.deepEqual(await sidecar.leftOvers(), [])
})

test('announcements that are not valid JSON list are refused with the messages of Argo CD', async () => {
  await using sidecar = await startSidecarFixture(plugin.replace('[cat, params.json]', '[cat, tool.yaml]'))
  await assert.rejects(sidecar.client.upload('GetParametersAnnouncement', one), {
    details: /error unmarshaling dynamic parameter output into ParametersAnnouncementResponse/,
  })
})
