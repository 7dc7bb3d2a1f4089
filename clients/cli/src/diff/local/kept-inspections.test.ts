import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspectSource } from '@wadi/rendering/inspection/inspect-source.ts'
import { noPlugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { memoryTree } from '@wadi/file-trees/memory-tree.ts'
import { treeWithSources } from '@wadi/file-trees/sources-tree.ts'
import { strictPolicy, testSource, testTools } from '@wadi/rendering/run/render-fixture.ts'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { temporaryDirectory } from '../../testing/run-wadi-fixture.ts'
import { inspectionsName, KeptInspections } from './kept-inspections.ts'

const tools = { ...(await testTools()), plugins: noPlugins }
const config = (value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "${value}"}\n`
const files: Readonly<Record<string, string>> = {
  'README.md': 'text',
  'plain/a.yaml': config('plain'),
  'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'charts/web/templates/a.yaml': config('chart'),
  'values/one.yaml': 'a: 1\n',
  'overlays/dev/kustomization.yaml': 'resources: [../../base]\n',
  'base/kustomization.yaml': 'resources: [a.yaml]\n',
  'base/a.yaml': config('base'),
}
const byRevision = testSource('overlays/dev', { kustomize: { images: ['a:$ARGOCD_APP_REVISION'] } })
const sources = {
  plain: testSource('plain'),
  chart: testSource('charts/web', { helm: { valueFiles: ['../../values/one.yaml'] } }),
  overlay: testSource('overlays/dev'),
  later: testSource('later'),
}

type Texts = Readonly<Record<string, string>>

function treeOf(texts: Texts) {
  const tree = memoryTree(new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)])))
  return { ...tree, sha: JSON.stringify(texts) }
}

/** A file for inspections, and runs that use it. */
async function start() {
  await using owned = new AsyncDisposableStack()
  const scratch = owned.use(await temporaryDirectory())
  const directory = join(scratch.path, 'inspections')
  const file = join(directory, inspectionsName('https://git.example.com/team/deploy.git'))
  const warnings: string[] = []
  const moved = owned.move()
  return {
    directory,
    file,
    warnings,
    /** One run: inspects what is not known of the sources at the commit and in other files; returns what was inspected. */
    async run(
      commit: Texts,
      texts: Texts = commit,
      identity = 'v1',
      has: (sha: string) => boolean = () => true,
    ) {
      const base = treeOf(commit)
      const treeOfCommit = async (sha: string) => {
        if (!has(sha)) throw new Error('there is no such commit')
        return treeOf(JSON.parse(sha) as Texts)
      }
      const place = {
        file,
        identity,
        base,
        treeOf: treeOfCommit,
        warn: (text: string) => void warnings.push(text),
      }
      const kept = await KeptInspections.open(place)
      const made: string[] = []
      for (const tree of commit === texts ? [base] : [base, treeOf(texts)]) {
        for (const [name, source] of Object.entries(sources)) {
          const inspecting = inspectSource(tree, source, 'a'.repeat(40), tools, strictPolicy)
          const inspection = await inspecting.catch(() => undefined)
          const found = await kept.find(tree, source)
          if (found) {
            const { fingerprint, inputs, warnings: said } = found
            assert.deepEqual(
              { fingerprint, inputs, said },
              {
                fingerprint: inspection?.fingerprint,
                inputs: inspection?.inputs,
                said: inspection?.warnings,
              },
              name,
            )
          } else if (inspection) {
            made.push(name)
            await kept.keep(tree, source, inspection)
          }
        }
      }
      await kept.save()
      return made
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

test('a later run inspects only what looked at something that changed, for another commit or working tree', async () => {
  await using bed = await start()
  assert.deepEqual(await bed.run(files), ['plain', 'chart', 'overlay'])
  assert.deepEqual(await bed.run(files), [])
  const steps: [change: Record<string, string>, made: string[]][] = [
    [{ 'README.md': 'other' }, []],
    [{ 'values/one.yaml': 'a: 2\n' }, ['chart']],
    [{ 'plain/.argocd-source.yaml': 'directory: {recurse: true}\n' }, ['plain']],
    [{ 'charts/web/templates/b.yaml': config('new') }, ['chart']],
    [{ 'base/a.yaml': config('other') }, ['overlay']],
    [{ 'later/a.yaml': config('later') }, ['later']],
  ]
  for (const [change, made] of steps) {
    const texts = { ...files, ...change }
    const what = Object.keys(change).join()
    assert.deepEqual(await bed.run(files, texts), made, what)
    assert.deepEqual(await bed.run(files, texts), [], `${what} again`)
  }
  const { 'charts/web/templates/a.yaml': _removed, ...without } = files
  assert.deepEqual(await bed.run(files, without), ['chart'])
  const next = { ...files, 'base/a.yaml': config('next') }
  assert.deepEqual(await bed.run(next), ['overlay'])
  assert.deepEqual(await bed.run(next), [])
})

test('after any changes every source has the inspection that it gets by itself', async () => {
  await using bed = await start()
  const random = seededRandom(11)
  const places = [...Object.keys(files), 'later/a.yaml', 'base', 'plain/.argocd-source.yaml', 'values']
  const change = (texts: Texts, step: number): Texts => {
    const next: Record<string, string> = { ...texts }
    const place = random.pick(places)
    for (const path of Object.keys(next)) {
      if (path.startsWith(`${place}/`) || place.startsWith(`${path}/`)) delete next[path]
    }
    if (place in next && random.chance(0.4)) delete next[place]
    else
      next[place] = random.chance(0.5) ? (files[place] ?? `# ${step}\n`) : `${files[place] ?? ''}# ${step}\n`
    return next
  }
  let commit: Texts = files
  let made = 0
  for (let step = 0; step < 40; step++) {
    if (random.chance(0.3)) commit = change(commit, step)
    made += (await bed.run(commit, change(commit, step))).length
  }
  // Without what is kept it would be six for each step.
  assert.ok(made < 120, `${made} inspections`)
})

test('what is of other versions, or of a commit that is gone, is not used', async () => {
  await using bed = await start()
  await bed.run(files)
  assert.deepEqual(await bed.run(files, files, 'v2'), ['plain', 'chart', 'overlay'])
  assert.deepEqual(await bed.run(files, files, 'v2'), [])
  const next = { ...files, 'README.md': 'next' }
  assert.deepEqual(await bed.run(next, next, 'v2', () => false), ['plain', 'chart', 'overlay'])
  assert.deepEqual(bed.warnings, [])
})

test('a source that shows its revision is not kept, and one with files of other sources is found by these', async () => {
  await using bed = await start()
  const base = treeOf(files)
  const open = () =>
    KeptInspections.open({
      file: bed.file,
      identity: 'v1',
      base,
      treeOf: async () => base,
      warn: (text) => void bed.warnings.push(text),
    })
  const kept = await open()
  await kept.keep(base, byRevision, await inspectSource(base, byRevision, 'a', tools, strictPolicy))
  assert.equal(await kept.find(base, byRevision), undefined)
  const source = testSource('charts/web', { helm: { valueFiles: ['$values/prod.yaml'] } })
  const joined = (text: string) => treeWithSources(base, new Map([['values', treeOf({ 'prod.yaml': text })]]))
  const one = await inspectSource(joined('a: 1\n'), source, 'a', tools, strictPolicy)
  await kept.keep(joined('a: 1\n'), source, one)
  await kept.save()
  const later = await open()
  assert.equal((await later.find(joined('a: 1\n'), source))?.fingerprint, one.fingerprint)
  assert.equal(await later.find(joined('a: 2\n'), source), undefined)
})

test('a file that is damaged, a link or no file is not used, which one warning says, and is replaced where that can be', async () => {
  await using bed = await start()
  await bed.run(files)
  const whole = await readFile(bed.file, 'utf8')
  const damages = {
    'cut short': whole.slice(0, -20),
    changed: whole.replace(/"[0-9a-f]{64}"/, `"${'0'.repeat(64)}"`),
    empty: '',
    foreign: '{"sources": []}',
  }
  for (const [name, text] of Object.entries(damages)) {
    await writeFile(bed.file, text)
    assert.deepEqual(await bed.run(files), ['plain', 'chart', 'overlay'], name)
    assert.equal(bed.warnings.length, 1, name)
    assert.match(bed.warnings.pop() ?? '', /is not used: it is damaged$/)
    assert.deepEqual(await bed.run(files), [], name)
  }
  const elsewhere = join(bed.directory, 'elsewhere')
  await writeFile(elsewhere, whole)
  await rm(bed.file)
  await symlink(elsewhere, bed.file)
  assert.deepEqual(await bed.run(files), ['plain', 'chart', 'overlay'])
  assert.match(bed.warnings.pop() ?? '', /is not used: it cannot be read$/)
  assert.equal(await readFile(elsewhere, 'utf8'), whole)
  await rm(bed.file)
  await mkdir(bed.file)
  assert.deepEqual(await bed.run(files), ['plain', 'chart', 'overlay'])
  assert.match(bed.warnings.join('\n'), /is not used: it is not a file\ncannot keep /)
})

test('files are for their user alone, and of many repositories those go that were written longest ago', async () => {
  await using bed = await start()
  await mkdir(bed.directory)
  await chmod(bed.directory, 0o700)
  for (let n = 0; n < 60; n++) {
    const file = join(bed.directory, `${n}.json`)
    await writeFile(file, '')
    await utimes(file, 1_000 + n, 1_000 + n)
  }
  await bed.run(files)
  assert.equal((await stat(bed.file)).mode & 0o777, 0o600)
  const left = await readdir(bed.directory)
  assert.equal(left.length, 50)
  assert.equal(left.includes('10.json') || !left.includes('59.json'), false)
  const named = (url: string) => inspectionsName(url)
  assert.equal(named('https://user:token@git.example.com/a.git'), named('https://git.example.com/a'))
  assert.notEqual(named('https://git.example.com/a'), named('https://git.example.com/b'))
})
