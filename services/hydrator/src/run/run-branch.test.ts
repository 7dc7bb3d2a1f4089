import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, isFieldSet, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import type {
  CommitManifests,
  CommitPathDetails,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { FileBesideManifests } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import {
  application,
  controlPlaneObject,
  type Peers,
  repoURL,
  type RunFixture,
  startRunFixture,
} from './run-fixture.ts'
import { runBranch } from './run-branch.ts'

const { signal } = new AbortController()
const dev = branchKey(repoURL, 'env/dev')
const sha = (digit: number): string => String(digit).repeat(40)

/** Both services as they answer over RPC, around one dry repository and one hydrated branch. */
class Neighbours {
  /** Dry commit by revision. */
  dry: Record<string, string> = { main: sha(1) }
  /** Paths of dry sources that cannot be inspected or rendered. */
  readonly broken = { inspect: new Set<string>(), render: new Set<string>() }
  /** Errors that the next commits end with. */
  readonly rejections: ConnectError[] = []
  position = { headSha: '', drySha: '' }
  /** Commits that landed, each with the paths of its directories. */
  landed: { header: CommitManifests; paths: string[] }[] = []
  rendered = 0
  /** What each directory has beside its manifests, in the messages before the last. */
  files: Pick<FileBesideManifests, 'path' | 'content'>[] = []
  /** What renders report. */
  record: MessageInitShape<typeof RenderRecordSchema> = {}
  /** The directories of the newest commit, by message. */
  details: CommitPathDetails[] = []

  readonly peers: Peers = {
    repoServer: {
      resolveRevisions: ({ revisions }) => ({
        renderers: 'helm v4',
        revisions: revisions.map((revision) => {
          const found = this.dry[revision]
          return found ? { revision, sha: found } : { revision, error: `revision ${revision} does not exist` }
        }),
      }),
      inspectSources: ({ sha: commit, sources }) => ({
        inspections: sources.map(({ path }) =>
          this.broken.inspect.has(path) ? { error: `no ${path}` } : { fingerprint: `${commit} ${path}` },
        ),
      }),
      getCommit: ({ sha: commit }) => ({
        commit: { sha: commit, author: 'A <a@example.com>', subject: 'change', date: '2024-03-27T10:32:04Z' },
      }),
      renderSources: async function* (this: Neighbours, { sources }: { sources: { path: string }[] }) {
        for (const [index, { path }] of sources.entries()) {
          this.rendered++
          const error = this.broken.render.has(path) ? `cannot render ${path}` : ''
          for (const file of this.files) yield { index, files: [file] }
          const manifests = error ? [] : [`{"path":"${path}"}`]
          yield { index, manifests, done: true, error, record: this.record }
        }
      }.bind(this),
    },
    commitServer: {
      getBranch: ({ withPaths }) => ({
        position: this.position,
        paths: withPaths ? this.landed.flatMap(({ paths }) => paths) : [],
      }),
      commitManifests: async (requests) => {
        let header: CommitManifests | undefined
        const paths: string[] = []
        this.details = []
        for await (const { message } of requests) {
          if (message.case === 'commit') header = message.value
          else if (message.case === 'details') {
            this.details.push(message.value)
            if (paths.at(-1) !== message.value.path) paths.push(message.value.path)
          }
        }
        const rejection = this.rejections.shift()
        if (rejection) throw rejection
        assert.ok(header)
        assert.equal(header.base?.headSha, this.position.headSha)
        this.landed.push({ header, paths })
        this.position = { headSha: sha(9 - this.landed.length), drySha: header.drySha }
        return { hydratedSha: this.position.headSha, changedPaths: paths }
      },
    },
  }
}

async function groupsOf(fixture: RunFixture) {
  const record = await fixture.store.get('HydratedBranch', 'argocd', dev)
  return record ? readHydratedBranch(record).status.groups : undefined
}

async function start() {
  const neighbours = new Neighbours()
  const fixture = await startRunFixture(neighbours.peers)
  return {
    neighbours,
    fixture,
    run: () => runBranch(fixture.context, dev, signal),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  }
}

test('a branch is brought to its dry commit with one commit, and then left alone', async () => {
  await using bed = await start()
  await bed.fixture.add(application('a'), application('b'))
  await bed.run()
  const [commit] = bed.neighbours.landed
  assert.deepEqual(commit?.paths.toSorted(), ['a', 'b'])
  assert.equal(commit?.header.message, '1111111: change\n\nCo-authored-by: A <a@example.com>\n')
  await bed.fixture.reload()
  await bed.run()
  assert.deepEqual([bed.neighbours.landed.length, bed.neighbours.rendered], [1, 2])
})

test('every fact of a record is in hydrator.metadata, and warnings are in the status', async () => {
  await using bed = await start()
  await bed.fixture.add(application('a'))
  const record = create(RenderRecordSchema, {
    commands: ['helm template a'],
    tools: [{ name: 'helm', version: 'v4.1.4' }],
    warnings: ['a is odd'],
    parameters: [{ of: 'values', path: '.a', value: { kind: { case: 'numberValue', value: 1 } } }],
    parametersLeftOut: 3,
    pluginVariables: { KUBE_VERSION: '1.34.0' },
  })
  bed.neighbours.record = record
  await bed.run()
  const metadata = JSON.parse(bed.neighbours.details[0]?.metadata ?? '') as object
  for (const field of RenderRecordSchema.fields) {
    assert.ok(isFieldSet(record, field), `give ${field.name} a value here`)
    if (field.name === 'warnings') continue
    const { [field.jsonName]: value } = toJson(RenderRecordSchema, record) as Record<string, unknown>
    assert.deepEqual(Reflect.get(metadata, field.jsonName), value)
  }
  await bed.fixture.reload()
  assert.deepEqual(bed.fixture.members()[0]?.markedWarnings, ['a is odd'])
})

test('files are sent in portions after the manifests, and the record names them', async () => {
  await using bed = await start()
  const large = 'x'.repeat(300 * 1024)
  bed.neighbours.files = ['b', 'a', 'etc/c'].map((path) => ({ path, content: large }))
  await bed.fixture.add(application('a'))
  await bed.run()
  const { details } = bed.neighbours
  assert.deepEqual(
    details.map(({ path, manifests, files }) => [path, manifests.length, files.map((file) => file.path)]),
    [
      ['a', 1, []],
      ['a', 0, ['b']],
      ['a', 0, ['a']],
      ['a', 0, ['etc/c']],
    ],
  )
  assert.ok(details.flatMap(({ files }) => files).every(({ content }) => content === large))
  const record = JSON.parse(details[0]?.metadata ?? '') as { files: string[] }
  assert.deepEqual(record.files, ['a', 'b', 'etc/c'])
})

test('a directory whose fingerprint the branch holds is not rendered again', async () => {
  await using bed = await start()
  await bed.fixture.add(application('a'))
  await bed.run()
  await bed.fixture.add(application('b'))
  await bed.run()
  assert.deepEqual(
    bed.neighbours.landed.map(({ paths }) => paths),
    [['a'], ['b']],
  )
  assert.equal(bed.neighbours.rendered, 2)
})

test('a warning of the renderer is recorded on the Application, once', async () => {
  await using bed = await start()
  await bed.fixture.add(application('a'))
  bed.neighbours.record = { warnings: ['parameter size is not a number', 'parameter size is not a number'] }
  await bed.run()
  await bed.fixture.reload()
  assert.deepEqual(bed.fixture.members()[0]?.markedWarnings, ['parameter size is not a number'])
})

for (const step of ['inspect', 'render'] as const) {
  test(`one directory that fails to ${step} keeps its whole group from landing and is named`, async () => {
    await using bed = await start()
    await bed.fixture.add(application('a'), application('b'), application('c'))
    bed.neighbours.broken[step].add('apps/b')
    await bed.run()
    assert.equal(bed.neighbours.landed.length, 0)
    const [group] = (await groupsOf(bed.fixture)) ?? []
    assert.equal(group?.phase, 'Failed')
    assert.deepEqual(
      group?.failures.map(({ application: name }) => name),
      ['argocd/b'],
    )
    const { rendered } = bed.neighbours
    await bed.run()
    assert.equal(bed.neighbours.rendered, rendered, 'nothing changed, so nothing is rendered')
    bed.neighbours.broken[step].clear()
    bed.neighbours.dry['main'] = sha(2)
    await bed.run()
    assert.deepEqual(bed.neighbours.landed[0]?.paths.toSorted(), ['a', 'b', 'c'])
  })
}

test('a group that fails does not keep another group of the branch from landing', async () => {
  await using bed = await start()
  await bed.fixture.add(application('a'), application('b', { drySource: { targetRevision: 'absent' } }))
  await bed.run()
  assert.deepEqual(bed.neighbours.landed[0]?.paths, ['a'])
  const groups = (await groupsOf(bed.fixture)) ?? []
  assert.deepEqual(
    groups.map(({ phase, message }) => [phase, message]),
    [
      ['Hydrated', ''],
      ['Failed', 'revision absent does not exist'],
    ],
  )
})

test('a run whose branch was moved by another starts over from what is there', async () => {
  await using bed = await start()
  await bed.fixture.add(application('a'))
  bed.neighbours.rejections.push(
    new ConnectError('moved', Code.Aborted),
    new ConnectError('moved', Code.Aborted),
  )
  await bed.run()
  assert.equal(bed.neighbours.landed.length, 1)
})

test('an outage is recorded and thrown, so that the queue tries again; what users must fix is recorded alone', async () => {
  await using bed = await start()
  await bed.fixture.add(application('a'))
  bed.neighbours.rejections.push(new ConnectError('the remote is away', Code.Unavailable))
  await assert.rejects(bed.run(), { name: 'UnavailableError' })
  assert.equal((await groupsOf(bed.fixture))?.[0]?.message, 'the remote is away')
  bed.neighbours.rejections.push(new ConnectError('protected branch', Code.FailedPrecondition))
  await bed.run()
  assert.equal((await groupsOf(bed.fixture))?.[0]?.message, 'protected branch')
  await bed.run()
  assert.equal(bed.neighbours.landed.length, 0)
  await bed.fixture.request('a', 'normal')
  await bed.run()
  assert.equal((await groupsOf(bed.fixture))?.[0]?.phase, 'Hydrated')
})

test('with pruning, what nobody claims is removed, and what a forbidden member claims stays', async () => {
  await using bed = await start()
  const data = { 'sourceHydrator.prune': 'true' }
  const v2 = { drySource: { targetRevision: 'v2' } }
  bed.neighbours.dry = { main: sha(1), v2: sha(2) }
  await bed.fixture.add(
    controlPlaneObject('ConfigMap', 'argocd-cm', { data }),
    application('a'),
    application('gone'),
    application('forbidden', { ...v2, project: 'team' }),
    controlPlaneObject('AppProject', 'team', {
      spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
    }),
  )
  await bed.run()
  assert.equal(bed.neighbours.landed.length, 2)
  await bed.fixture.store.delete('AppProject', 'argocd', 'team')
  await bed.fixture.store.delete('Application', 'argocd', 'gone')
  await bed.fixture.reload()
  bed.neighbours.dry['main'] = sha(3)
  await bed.run()
  assert.deepEqual(bed.neighbours.landed.at(-1)?.header.removedPaths, ['gone'])
})

test('a branch without members loses its record', async () => {
  await using bed = await start()
  await bed.fixture.add(application('a'))
  await bed.run()
  await bed.fixture.store.delete('Application', 'argocd', 'a')
  await bed.fixture.reload()
  await bed.run()
  assert.equal(await groupsOf(bed.fixture), undefined)
  assert.equal(bed.neighbours.landed.length, 1)
})
