import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { CanceledError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import type { TestRepository } from '@wadi/testing/git-repository.ts'
import type { GitHttpRequest, GitHttpServer } from '@wadi/testing/git-http-server.ts'
import { noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { startFixtureServer } from '../smart-http/http-fixture.ts'
import { startPackServer } from '../smart-http/pack-server-fixture.ts'
import { assertWhole, openTestMirror } from './mirror-fixture.ts'
import type { Mirror } from './mirror.ts'

const branches = ['+refs/heads/*:refs/heads/*']
const main = '+refs/heads/main:refs/wadi/single/main'

type Bed = AsyncDisposable & {
  server: GitHttpServer
  source: TestRepository
  mirror: Mirror
  push(): Promise<void>
}

/** The clients, and the built-in one with a mirror that may lack objects. */
const clients = ['built-in', 'git', 'parts'] as const

async function startBed(client: (typeof clients)[number], scheme: 'http' | 'https' = 'http'): Promise<Bed> {
  await using stack = new AsyncDisposableStack()
  const { server, credentials } = stack.use(await startFixtureServer(scheme))
  const { url, directory } = await server.createRepository('a.git')
  const scratch = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-fetch-'))).path
  const source = await createRepository(path.join(scratch, 'source'))
  const copy = path.join(scratch, 'mirror')
  const [httpClient, gitFetch] =
    client === 'parts' ? (['built-in', 'needed'] as const) : ([client, 'whole'] as const)
  const mirror = stack.use(await openTestMirror(copy, url, credentials, httpClient, gitFetch))
  const push = async (): Promise<void> => {
    await source.git.raw(['push', '-q', '--force', '--prune', directory, 'refs/heads/*:refs/heads/*'])
  }
  await source.commitFiles({ 'a.yaml': 'a: 1\n', 'b/b.yaml': 'b: 1\n' }, 'First')
  await push()
  const owned = stack.move()
  return { server, source, mirror, push, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

function shown({ method, path: asked }: GitHttpRequest): string {
  return `${method} ${asked.slice('/a.git/'.length)}`
}

async function objectCount(mirror: Mirror): Promise<number> {
  const { stdout } = await mirror.raw(['cat-file', '--batch-all-objects', '--batch-check'])
  return stdout.toString().split('\n').filter(Boolean).length
}

for (const client of clients) {
  for (const scheme of ['http', 'https'] as const) {
    const skip = scheme === 'https' && noOpenssl
    test(`${client}: branches are fetched, moved, rewritten and removed by ${scheme}`, { skip }, async () => {
      await using bed = await startBed(client, scheme)
      const { mirror, source } = bed
      const first = await source.head()
      await mirror.fetch(branches)
      assert.equal(await mirror.objects.resolve('refs/heads/main'), first)
      const second = await source.commitFiles({ 'a.yaml': 'a: 2\n' }, 'Second')
      await source.git.raw(['branch', 'side'])
      await bed.push()
      await mirror.fetch(branches)
      assert.equal(await mirror.objects.resolve('refs/heads/side'), second)
      await source.git.raw(['reset', '-q', '--hard', first])
      const other = await source.commitFiles({ 'a.yaml': 'a: 3\n' }, 'Other')
      await source.git.raw(['branch', '-D', 'side'])
      await source.git.raw(['branch', 'side/below'])
      await bed.push()
      await mirror.fetch(branches)
      assert.equal(await mirror.objects.resolve('refs/heads/main'), other)
      assert.equal(await mirror.objects.resolve('refs/heads/side'), undefined)
      assert.equal(await mirror.objects.resolve('refs/heads/side/below'), other)
      await assertWhole(mirror)
    })
  }

  test(`${client}: a ref of its own, an object and a tag are fetched without the rest`, async () => {
    await using bed = await startBed(client)
    const { mirror, source, server } = bed
    const first = await source.head()
    await source.git.raw(['tag', '-a', '-m', 'tag', 'v1'])
    await source.git.raw(['push', '-q', path.join(server.root, 'a.git'), 'v1'])
    const tag = await source.git.revparse(['v1'])
    await mirror.fetch(['+refs/tags/v1:refs/wadi/single/tag'])
    assert.equal(await mirror.objects.resolve('refs/wadi/single/tag'), tag)
    const second = await source.commitFiles({ 'a.yaml': 'a: 2\n' }, 'Second')
    await bed.push()
    await mirror.fetch([second])
    assert.equal(await mirror.hasObject(second), true)
    await mirror.fetch([`+${first}:refs/wadi/first`, '+HEAD:refs/wadi/head'])
    assert.equal(await mirror.objects.resolve('refs/wadi/first'), first)
    assert.equal(await mirror.objects.resolve('refs/wadi/head'), second)
    assert.equal(await mirror.objects.resolve('refs/heads/main'), undefined)
    await assertWhole(mirror)
  })

  test(`${client}: what the remote does not have is not found`, async () => {
    await using bed = await startBed(client)
    await assert.rejects(bed.mirror.fetch(['+refs/heads/nope:refs/heads/nope']), {
      name: 'NotFoundError',
      message: /^revision not found in http.*a\.git: .*refs\/heads\/nope/,
    })
    await assert.rejects(bed.mirror.fetch(['1'.repeat(40)]), {
      name: 'NotFoundError',
      message: /^commit not found in http.*a\.git/,
    })
  })

  test(`${client}: histories that have nothing in common are fetched`, async () => {
    await using bed = await startBed(client)
    await bed.mirror.fetch(branches)
    await bed.source.git.raw(['checkout', '-q', '--orphan', 'other'])
    const other = await bed.source.commitFiles({ 'c.yaml': 'c: 1\n' }, 'Unrelated')
    await bed.push()
    await bed.mirror.fetch(['+refs/heads/other:refs/wadi/single/other'])
    assert.equal(await bed.mirror.objects.resolve('refs/wadi/single/other'), other)
    await assertWhole(bed.mirror)
  })
}

test('a fetch of one commit is two requests on one connection, and the pack has the new objects alone', async () => {
  await using bed = await startBed('built-in')
  const { mirror, source, server } = bed
  await mirror.fetch([main])
  server.requests.length = 0
  await source.commitFiles({ 'a.yaml': 'a: 2\n' }, 'Second')
  await bed.push()
  const before = new Set(await readdir(path.join(mirror.directory, 'objects', 'pack')))
  await mirror.fetch([main])
  assert.deepEqual(server.requests.map(shown), ['POST git-upload-pack', 'POST git-upload-pack'])
  assert.equal(server.connections(), 1)
  const packs = readdirSync(path.join(mirror.directory, 'objects', 'pack'))
  const [index] = packs.filter((name) => !before.has(name) && name.endsWith('.idx'))
  const listed = execFileSync('git', ['verify-pack', '-v', `objects/pack/${index}`], {
    cwd: mirror.directory,
  })
  assert.equal(
    listed
      .toString()
      .split('\n')
      .filter((line) => /^[0-9a-f]{40} /.test(line)).length,
    3,
  )
  server.requests.length = 0
  await mirror.fetch([main])
  assert.deepEqual(server.requests.map(shown), ['POST git-upload-pack'])
})

test('a branch whose old head the server no longer has costs the commits after what both have', async () => {
  await using bed = await startBed('built-in')
  const { mirror, source, server } = bed
  const files = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, `${n}`]))
  const common = await source.commitFiles(files(200), 'Common')
  await bed.push()
  await mirror.fetch([main])
  // A commit that only the mirror has takes the place of what it fetched.
  const args = ['commit-tree', `${common}^{tree}`, '-p', common, '-m', 'Local']
  const author = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  const { stdout } = await mirror.raw(args, { environment: author })
  await mirror.updateRef('refs/wadi/single/main', stdout.toString().trim())
  const before = await objectCount(mirror)
  const head = await source.commitFiles({ f1: 'new' }, 'Remote')
  await bed.push()
  server.requests.length = 0
  await mirror.fetch([main])
  assert.equal(await mirror.objects.resolve('refs/wadi/single/main'), head)
  assert.equal(server.requests.length, 3)
  assert.equal((await objectCount(mirror)) - before, 3)
  await assertWhole(mirror)
})

/** A pack of a commit, with its objects or with some of them alone. */
async function packOf(source: TestRepository, objects?: string[]): Promise<Buffer> {
  const head = await source.head()
  const input = objects === undefined ? `${head}\n` : `${objects.join('\n')}\n`
  const args = ['pack-objects', '--stdout', '-q', ...(objects === undefined ? ['--revs'] : [])]
  return execFileSync('git', args, { cwd: source.directory, input })
}

async function fetchFrom(
  url: string,
  signal?: AbortSignal,
): Promise<{ ref: string | undefined; hasPack: boolean }> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-fetch-'))
  await using mirror = await openTestMirror(path.join(scratch.path, 'mirror'), url)
  try {
    await mirror.fetch(branches, signal)
  } catch (error) {
    assert.equal(await mirror.objects.resolve('refs/heads/main'), undefined)
    throw error
  }
  const packs = await readdir(path.join(mirror.directory, 'objects', 'pack'))
  return {
    ref: await mirror.objects.resolve('refs/heads/main'),
    hasPack: packs.some((name) => name.endsWith('.idx')),
  }
}

test('a pack that lacks what its objects name moves no ref', async () => {
  await using bed = await startBed('built-in')
  const head = await bed.source.head()
  const tree = await bed.source.git.revparse([`${head}^{tree}`])
  const whole = await packOf(bed.source)
  await using good = await startPackServer(head, (write) => {
    write(2, 'Counting objects\n')
    write(1, whole)
    return 'end'
  })
  assert.deepEqual(await fetchFrom(good.url), { ref: head, hasPack: true })
  for (const objects of [[head], [head, tree], [tree]]) {
    const incomplete = await packOf(bed.source, objects)
    await using bad = await startPackServer(head, (write) => {
      write(1, incomplete)
      return 'end'
    })
    await assert.rejects(fetchFrom(bad.url), UnavailableError)
  }
})

test('packs that end early, are damaged or are reported as failed are errors that move no ref', async () => {
  await using bed = await startBed('built-in')
  const head = await bed.source.head()
  const whole = await packOf(bed.source)
  const half = whole.subarray(0, whole.length / 2)
  const damaged = Buffer.from(whole).fill(0, 20, 40)
  const cases: Record<string, Parameters<typeof startPackServer>[1]> = {
    'cut off': (write) => (write(1, half), 'cut'),
    'ends early': (write) => (write(1, half), 'end'),
    damaged: (write) => (write(1, damaged), 'end'),
    empty: () => 'end',
    'unknown channel': (write) => (write(7, half), 'end'),
    reported: (write) => (write(3, 'fatal: out of memory, malloc failed'), 'end'),
  }
  for (const [name, send] of Object.entries(cases)) {
    await using server = await startPackServer(head, send)
    await assert.rejects(fetchFrom(server.url), UnavailableError, name)
  }
  await using reporting = await startPackServer(head, (write) => (write(3, 'fatal: out of memory\n'), 'end'))
  await assert.rejects(fetchFrom(reporting.url), /cannot be reached: out of memory/)
})

test('a server that hangs within a pack is left when the caller gives up', async () => {
  await using bed = await startBed('built-in')
  const whole = await packOf(bed.source)
  const controller = new AbortController()
  await using server = await startPackServer(await bed.source.head(), (write) => {
    write(1, whole.subarray(0, 100))
    setImmediate(() => controller.abort())
    return 'hang'
  })
  await assert.rejects(fetchFrom(server.url, controller.signal), CanceledError)
})
