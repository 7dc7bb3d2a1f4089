import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { archiveRequests, fileRequest, readManifests } from './argocd-messages-fixture.ts'
import { startSidecarFixture } from './cmp-server-fixture.ts'
import { directory, goArchive, goTar, link, type TarEntry } from './go-tar-fixture.ts'

const plugin = `
apiVersion: argoproj.io/v1alpha1
kind: ConfigManagementPlugin
metadata: {name: copy}
spec: {generate: {command: [cat, app.yaml]}}
`
const app: TarEntry = {
  name: 'app.yaml',
  content: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"made"}}',
}
const good = archiveRequests(goArchive([directory('.'), app]))
const [metadata = Buffer.alloc(0), ...chunks] = good

function streamOf(...entries: readonly TarEntry[]): Buffer[] {
  return archiveRequests(goArchive([directory('.'), app, ...entries]))
}

const nothing = Buffer.alloc(0)
const notGzip = archiveRequests(goTar([directory('.'), app]))
const cutShort = archiveRequests(goArchive([directory('.'), app]).subarray(0, 60))
const refused: Record<string, { messages: Buffer[]; details: RegExp }> = {
  'another checksum': {
    messages: archiveRequests(goArchive([app]), { checksum: '0'.repeat(64) }),
    details: /file checksum validation error/,
  },
  'a checksum over the archive before compression': {
    messages: [archiveRequests(goTar([app])).at(0) ?? nothing, ...archiveRequests(goArchive([app])).slice(1)],
    details: /file checksum validation error/,
  },
  'files before the metadata': { messages: [...chunks, metadata], details: /metadata is nil/ },
  'no metadata': { messages: chunks, details: /metadata is nil/ },
  'no message at all': { messages: [], details: /metadata is nil/ },
  'metadata twice': { messages: [metadata, metadata, ...chunks], details: /stream request file is nil/ },
  'a message that says nothing': { messages: [metadata, nothing, ...chunks], details: /request file is nil/ },
  'metadata after the files': { messages: [...good, metadata], details: /stream request file is nil/ },
  'metadata alone': { messages: [metadata], details: /file checksum validation error/ },
  'a part of the files left out': { messages: good.toSpliced(1, 1), details: /checksum validation error/ },
  'more than was summed up': {
    messages: [...good, fileRequest(Buffer.from('more'))],
    details: /file checksum validation error/,
  },
  'no gzip': { messages: notGzip, details: /archive cannot be extracted/ },
  'an archive that is cut short': { messages: cutShort, details: /archive cannot be extracted/ },
  'an absolute name': {
    messages: streamOf({ name: '/escaped', content: 'x' }),
    details: /illegal filepath in archive: "\/escaped"/,
  },
  'a name that leads out': {
    messages: streamOf({ name: '../escaped', content: 'x' }),
    details: /illegal filepath in archive: "..\/escaped"/,
  },
  'a name that leads out after it led in': {
    messages: streamOf({ name: 'a/../../escaped', content: 'x' }),
    details: /illegal filepath in archive/,
  },
  'a hard link': {
    messages: streamOf({ name: 'hard', type: '1', target: '/etc/passwd' }),
    details: /illegal entry in archive: "hard" is a link/,
  },
  'a character device': {
    messages: streamOf({ name: 'dev', type: '3' }),
    details: /illegal entry in archive/,
  },
  'a block device': { messages: streamOf({ name: 'dev', type: '4' }), details: /illegal entry in archive/ },
  'a pipe': { messages: streamOf({ name: 'pipe', type: '6' }), details: /illegal entry in archive/ },
  'a link twice': {
    messages: streamOf(link('twice', 'app.yaml'), link('twice', 'app.yaml')),
    details: /"twice" occurs twice/,
  },
  'a link and a file of one name': {
    messages: streamOf(link('both', 'app.yaml'), { name: 'both', content: 'x' }),
    details: /EEXIST/,
  },
  'a link to an absolute path': {
    messages: streamOf(link('out', '/etc/passwd')),
    details: /illegal filepath in symlink/,
  },
  'a link that leads out': {
    messages: streamOf(link('out', '../../..')),
    details: /illegal filepath in symlink/,
  },
  'a chain of links that leads out': {
    messages: streamOf(directory('a'), link('a/top', '..'), link('out', 'a/top/../x')),
    details: /illegal filepath in symlink/,
  },
  'a file through a link': {
    messages: streamOf(link('through', '.'), { name: 'through/escaped', content: 'x' }),
    details: /EEXIST/,
  },
}

test('a stream that must not be is refused with the reason, and nothing of it is left', async (t) => {
  await using sidecar = await startSidecarFixture(plugin)
  const before = await everything(sidecar.directory)
  for (const [name, { messages, details }] of Object.entries(refused)) {
    await t.test(name, async () => {
      const call = sidecar.client.upload('GenerateManifest', messages)
      await assert.rejects(call, { code: status.INVALID_ARGUMENT, details })
      assert.deepEqual(await everything(sidecar.directory), before)
    })
  }
  await t.test('and the next good one is taken', async () => {
    const answer = await sidecar.client.upload('GenerateManifest', good)
    assert.deepEqual(
      readManifests(answer).manifests.map((manifest) => JSON.parse(manifest).metadata.name),
      ['made'],
    )
  })
})

const accepted: Record<string, TarEntry[]> = {
  'a link to the root of the archive': [link('top', '.')],
  'a link to the root from below': [directory('a'), link('a/top', '..')],
  'a link to nothing': [link('gone', 'nowhere/at/all')],
  'a link before what it leads to': [link('early', 'later/file'), { name: 'later/file', content: 'x' }],
  'a global header as git archive writes it': [
    { name: 'pax_global_header', type: 'g', content: '30 comment=0123456789abcdef01\n' },
  ],
  'a directory without an entry of its own': [{ name: 'inner/file', content: 'x' }],
  'a directory twice': [directory('inner'), directory('inner')],
}

test('an archive that Argo CD may send is taken', async (t) => {
  await using sidecar = await startSidecarFixture(plugin)
  for (const [name, entries] of Object.entries(accepted)) {
    await t.test(name, async () => {
      const answer = await sidecar.client.upload('GenerateManifest', streamOf(...entries))
      assert.equal(readManifests(answer).manifests.length, 1)
    })
  }
})

test('a directory of the application that is not in the archive is refused by its name', async () => {
  await using sidecar = await startSidecarFixture(plugin)
  const archive = goArchive([directory('.'), app, link('top', '.')])
  const cases = { '../..': /illegal appPath/, '/etc': /illegal appPath/, 'no/where': /"no\/where"/ }
  for (const [appRelPath, details] of Object.entries(cases)) {
    const call = sidecar.client.upload('GenerateManifest', archiveRequests(archive, { appRelPath }))
    await assert.rejects(call, { code: status.INVALID_ARGUMENT, details })
  }
})

/** All paths of the test, and of the directory around it that a wrong name would write to. */
async function everything(place: string): Promise<string[]> {
  // What contained programs see of the machine is no left-over of a stream.
  const within = (await readdir(place, { recursive: true })).filter(
    (file) => !file.includes('/containment/roots/'),
  )
  const around = await readdir(path.dirname(place))
  return [...within, ...around.filter((name) => name === 'escaped')].toSorted()
}
