import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  InspectSourcesResponseSchema,
  SourceSchema,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { memoryTree } from '@wadi/file-trees/memory-tree.ts'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { inspectOne } from './inspect-one.ts'
import { configMap, repoURL, startBed } from './source-renderer-fixture.ts'
import { SourceSet } from './source-set.ts'

const { signal } = new AbortController()
const missing = 'later web'
const onRevision = ['overlays/dev web']
const of = { repoUrl: repoURL, project: 'team' }
const chart = 'apiVersion: v2\nname: shared\nversion: 1.0.0\n'
const withValues = (file: string): string => JSON.stringify({ helm: { valueFiles: [`../../${file}`] } })

/** A plain directory, one of another with options of its revision, a chart with values elsewhere, an overlay, and what is not there. */
const sources = [
  { path: 'plain/a' },
  { path: 'plain/b' },
  { path: 'charts/shared', optionsJson: withValues('values/one.yaml'), applicationName: 'one' },
  { path: 'charts/shared', optionsJson: withValues('values/two.yaml'), applicationName: 'two' },
  { path: 'overlays/dev' },
  {
    path: 'overlays/dev',
    optionsJson:
      '{"kustomize":{"commonAnnotations":{"at":"$ARGOCD_APP_REVISION"},"commonAnnotationsEnvsubst":true}}',
  },
  { path: 'later' },
].map((source) => create(SourceSchema, { applicationName: 'web', ...source }))

const files: Readonly<Record<string, string>> = {
  'README.md': 'text',
  'plain/a/a.yaml': configMap('a'),
  'plain/b/b.yaml': configMap('b'),
  'charts/shared/Chart.yaml': chart,
  'charts/shared/templates/a.yaml': configMap('shared'),
  'values/one.yaml': 'a: 1\n',
  'values/two.yaml': 'a: 2\n',
  'bases/web/kustomization.yaml': 'resources: [a.yaml]\n',
  'bases/web/a.yaml': configMap('base'),
  'overlays/dev/kustomization.yaml': 'resources: [../../bases/web]\n',
}

function treeOf(texts: Readonly<Record<string, string>>): FileTree {
  return memoryTree(new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)])))
}

/** A list of sources, and what was inspected of it. */
async function start() {
  await using stack = new AsyncDisposableStack()
  const { gated: renderer, dry } = stack.use(await startBed({}))
  const inspected: string[] = []
  const watched = {
    changes: renderer.changes,
    readSource: renderer.readSource.bind(renderer),
    identity: async () => renderer.identity(),
    today: () => renderer.today(),
    inspect: async (...[asked, end]: Parameters<typeof renderer.inspect>) => {
      inspected.push(`${asked.source.path} ${asked.source.applicationName}`)
      return renderer.inspect(asked, end)
    },
  }
  const set = new SourceSet({ ...of, sources })
  let known: { position: string; inspections: unknown[] } = { position: '', inspections: [] }
  const owned = stack.move()
  return {
    renderer,
    watched,
    dry,
    /** Looks at a tree as a caller does that keeps its last answer; returns what was inspected for it, and compares all with single inspections. */
    async look(texts: Readonly<Record<string, string>>, revision = '1'.repeat(40), tree = treeOf(texts)) {
      inspected.length = 0
      const answer = await set.look(watched, { tree, revision }, known.position, signal)
      const again = inspected.splice(0)
      const isWhole = again.length === sources.length
      const failed = 'later/a.yaml' in texts ? -1 : again.indexOf(missing)
      // What has an error is inspected each time.
      assert.equal(failed >= 0 || 'later/a.yaml' in texts, true)
      if (failed >= 0 && !isWhole) again.splice(failed, 1)
      const { position, inspections, changes } = create(InspectSourcesResponseSchema, answer)
      const next: unknown[] = changes ? [...known.inspections] : inspections
      for (const [index, one] of Object.entries(changes?.inspections ?? {})) next[Number(index)] = one
      known = { position, inspections: next }
      const single = sources.map((source) => inspectOne(renderer, { ...of, tree, revision, source }, signal))
      const all = (await Promise.all(single)).map(({ result }) => result)
      const { inspections: expected } = create(InspectSourcesResponseSchema, { inspections: all })
      assert.deepEqual(next, expected)
      return { again, changed: changes && Object.keys(changes.inspections).map(Number) }
    },
    forget: () => (known = { position: 'another:1', inspections: [] }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

test('only the sources are inspected again that read what changed, wherever it is', async () => {
  await using bed = await start()
  assert.equal((await bed.look(files)).again.length, sources.length)
  const changes: [change: Record<string, string>, again: string[]][] = [
    [{ 'README.md': 'other' }, []],
    [{ 'plain/a/a.yaml': configMap('other') }, ['plain/a web']],
    [{ 'plain/a/more/new.yaml': configMap('new') }, ['plain/a web']],
    [{ 'values/two.yaml': 'a: 3\n' }, ['charts/shared two']],
    [{ 'charts/shared/values.yaml': 'a: 0\n' }, ['charts/shared one', 'charts/shared two']],
    [{ 'bases/web/a.yaml': configMap('other') }, ['overlays/dev web', 'overlays/dev web']],
    [{ 'plain/b/.argocd-source.yaml': 'directory: {recurse: true}\n' }, ['plain/b web']],
    [{ 'plain/b/.argocd-source-web.yaml': 'directory: {recurse: false}\n' }, ['plain/b web']],
    [{ 'plain/b/kustomization.yaml': 'resources: [b.yaml]\n' }, ['plain/b web']],
    [{ 'later/a.yaml': configMap('later') }, [missing]],
    [{ 'plain/unrelated/a.yaml': configMap('unrelated') }, []],
  ]
  let now = { ...files }
  for (const [change, expected] of changes) {
    now = { ...now, ...change }
    const { again } = await bed.look(now)
    assert.deepEqual(again.toSorted(), expected, Object.keys(change).join())
  }
  const { 'later/a.yaml': _gone, ...without } = now
  assert.deepEqual((await bed.look(without)).again, [])
  assert.deepEqual((await bed.look(without)).again, [])
})

test('a source that shows its revision is inspected for each, and an error each time', async () => {
  await using bed = await start()
  await bed.look(files)
  assert.deepEqual((await bed.look(files, '2'.repeat(40))).again, onRevision)
  assert.deepEqual((await bed.look(files, '2'.repeat(40))).again, [])
})

test('other renderers, and what renders found out, make sources be inspected again', async () => {
  await using bed = await start()
  await bed.look(files)
  const { identity } = bed.watched
  bed.watched.identity = async () => `${await identity()}, another plugin`
  assert.equal((await bed.look(files)).again.length, sources.length)
  const [plain] = sources
  assert.ok(plain)
  const tree = treeOf(files)
  const dry = {
    tree,
    revision: '1'.repeat(40),
    project: of.project,
    source: bed.renderer.readSource(repoURL, plain),
  }
  const { keys } = await bed.renderer.inspect(dry, signal)
  assert.equal(keys.length, 3)
  for (const key of keys) {
    bed.renderer.changes.add(key)
    assert.deepEqual((await bed.look(files)).again, ['plain/a web'])
  }
})

test('a caller that lost its answer gets everything, without a new inspection', async () => {
  await using bed = await start()
  assert.equal((await bed.look(files)).changed, undefined)
  assert.deepEqual((await bed.look({ ...files, 'plain/a/a.yaml': configMap('other') })).changed, [0])
  bed.forget()
  const { again, changed } = await bed.look(files)
  assert.deepEqual([again, changed], [['plain/a web'], undefined])
})

test('an inspection that is aborted leaves what is known as it was', async () => {
  await using bed = await start()
  await bed.look(files)
  const { inspect } = bed.watched
  bed.watched.inspect = async () => {
    throw new Error('the machine is full')
  }
  const changed = { ...files, 'plain/a/a.yaml': configMap('other') }
  await assert.rejects(bed.look(changed), /the machine is full/)
  bed.watched.inspect = inspect
  assert.deepEqual((await bed.look(files)).again, [])
  assert.deepEqual((await bed.look(changed)).again, ['plain/a web'])
})

test('an earlier tree that cannot be read any more makes everything be inspected', async () => {
  await using bed = await start()
  const tree = treeOf(files)
  let isGone = false
  const list = async (path: string) => {
    if (isGone) throw new Error('the object is gone')
    return tree.list(path)
  }
  await bed.look(files, undefined, { ...tree, list })
  isGone = true
  const { again } = await bed.look({ ...files, 'plain/a/a.yaml': configMap('other') })
  assert.equal(again.length, sources.length)
})

test('after any changes of a repository, every source has the inspection that it gets by itself', async () => {
  await using bed = await start()
  const random = seededRandom(7)
  const places = [
    ...Object.keys(files),
    'later/a.yaml',
    'plain/a',
    'bases/web',
    'plain/b/kustomization.yaml',
    'values',
  ]
  let now: Record<string, string> = { ...files }
  for (let step = 0; step < 40; step++) {
    const next = { ...now }
    for (let edits = random.integer(1, 3); edits > 0; edits--) {
      const place = random.pick(places)
      const original = files[place]
      // What stands where another file needs a directory goes, and so does what is below a new file.
      for (const path of Object.keys(next)) {
        if (path.startsWith(`${place}/`) || place.startsWith(`${path}/`)) delete next[path]
      }
      if (place in next && random.chance(0.4)) delete next[place]
      else
        next[place] = random.chance(0.5) && original !== undefined ? original : `${original ?? ''}# ${step}\n`
    }
    now = { ...next, 'README.md': 'text' }
    await bed.look(now, String(random.integer(1, 2)).repeat(40))
  }
})
