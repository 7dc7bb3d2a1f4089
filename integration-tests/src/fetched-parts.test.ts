import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { readRepository } from './fetched-parts-fixture.ts'

const configMap = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n`

/** The number of objects of each kind in a repository. */
async function countKinds(directory: string): Promise<Record<string, number>> {
  const args = ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype)']
  const counts: Record<string, number> = {}
  for (const kind of (await runTestGit(directory, args)).split('\n').filter(Boolean)) {
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

test('one Application of a large repository costs its own files and one request for them, and renders as from everything', async () => {
  await using server = await startGitHttpServer()
  const { url, directory: served } = await server.createRepository('dry.git')
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-parts-'))
  const source = await createRepository(path.join(scratch.path, 'source'))
  const others = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [`others/${n}/file.yaml`, configMap(`other-${n}`, 'x')]),
  )
  const files = ['a', 'b', 'c'].map((name) => [`app/${name}.yaml`, configMap(name, '1')])
  const first = await source.commitFiles({ ...others, ...Object.fromEntries(files) }, 'First\n')
  const second = await source.commitFiles({ 'others/1/file.yaml': configMap('other-1', 'y') }, 'Second\n')
  const third = await source.commitFiles({ 'app/a.yaml': configMap('a', '2') }, 'Third\n')
  await source.git.raw(['push', '-q', served, 'main'])
  const open = async (gitFetch: 'needed' | 'whole') => {
    const data = path.join(scratch.path, gitFetch)
    await mkdir(data)
    return readRepository(url, data, gitFetch)
  }
  await using whole = await open('whole')
  await using needed = await open('needed')
  const expected = await whole.render('main', 'app')
  assert.equal(expected.manifests.length, 3)
  server.requests.length = 0
  assert.deepEqual(await needed.render('main', 'app'), expected)
  // What the server offers, its refs, the commit and the files.
  assert.deepEqual(
    server.requests.map(({ method }) => method),
    ['GET', 'POST', 'POST', 'POST'],
  )
  const { blob, commit } = await countKinds(await needed.mirror())
  assert.deepEqual({ blob, commit }, { blob: 3, commit: 1 })
  assert.deepEqual(await needed.list(first, third), [second, third])
  assert.deepEqual(await countKinds(await needed.mirror()), { blob: 3, commit: 3, tree: 303 })
  const all = await countKinds(await whole.mirror())
  assert.ok((all['blob'] ?? 0) > 300)
})

test('the files of many Applications come in one request, and those of a large directory when they are read', async () => {
  await using server = await startGitHttpServer()
  const { url, directory: served } = await server.createRepository('dry.git')
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-parts-'))
  const source = await createRepository(path.join(scratch.path, 'source'))
  const names = Array.from({ length: 40 }, (_, n) => `app-${n}`)
  const apps = names.map((name) => [`${name}/a.yaml`, configMap(name, '1')])
  const pages = Array.from({ length: 300 }, (_, n) => [`large/pages/${n}.md`, `${n}\n`])
  const large = [['large/a.yaml', configMap('large', '1')], ...pages]
  await source.commitFiles(Object.fromEntries([...apps, ...large]), 'First\n')
  await source.git.raw(['push', '-q', served, 'main'])
  const data = path.join(scratch.path, 'data')
  await mkdir(data)
  await using needed = await readRepository(url, data, 'needed')
  assert.equal((await needed.render('main', ...names)).manifests.length, names.length)
  assert.equal(server.requests.length, 4)
  assert.equal((await needed.render('main', ...names, 'large')).manifests.length, names.length + 1)
  assert.equal((await countKinds(await needed.mirror()))['blob'], names.length + 1)
})

test('a server that refuses the files in the middle of a render fails it by its path, and renders as before once it gives them', async () => {
  let questions = 0
  let left = Number.POSITIVE_INFINITY
  await using server = await startGitHttpServer({
    onRequest: ({ method }) => {
      if (method === 'GET') return undefined
      questions += 1
      return questions > left ? 403 : undefined
    },
  })
  const { url, directory: served } = await server.createRepository('dry.git')
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-parts-'))
  const source = await createRepository(path.join(scratch.path, 'source'))
  await source.commitFiles(
    { 'app/a.yaml': configMap('a', '1'), 'app/b.yaml': configMap('b', '1') },
    'First\n',
  )
  await source.git.raw(['push', '-q', served, 'main'])
  const data = path.join(scratch.path, 'data')
  await mkdir(data)
  await using needed = await readRepository(url, data, 'needed')
  // Its refs and the commit come.
  left = 2
  await assert.rejects(needed.render('main', 'app'), /files of "app" of commit [0-9a-f]{40}: .*dry\.git/)
  left = Number.POSITIVE_INFINITY
  const { manifests } = await needed.render('main', 'app')
  assert.deepEqual(
    manifests.map((text) => (JSON.parse(text) as { metadata: { name: string } }).metadata.name),
    ['a', 'b'],
  )
})
