import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueryKey } from '@wadi/application-sets/inputs/query-key.ts'
import type { InputSources, Query } from '@wadi/application-sets/inputs/run-inputs.ts'
import { startGenerationFixture } from '../generation-fixture.ts'
import { type ObservedInputs, GeneratorInputCache } from './generator-input-cache.ts'

const hour = 3_600_000
const { signal } = new AbortController()

/** Sources that answer from one cache, with what they received. */
function hearing(
  memory: GeneratorInputCache,
  context: InputSources,
  requeueMs: Record<string, number> = { git: hour, pullRequest: hour, plugin: hour },
  notBefore = -Infinity,
) {
  const observed: ObservedInputs = { repositories: new Set(), answers: new Map(), oldest: new Map() }
  const sources = memory.sources(context, {
    requeueMs: new Map(Object.entries(requeueMs)),
    notBefore,
    observed,
  })
  return { sources, observed }
}

/** A question that counts how often it is asked. */
function counted(kind: QueryKey['kind'], ...subjects: unknown[]) {
  let asked = 0
  const question: Query<number> = { key: { kind, subjects }, ask: async () => (asked += 1) }
  return question
}

const url = 'https://git.example.com/Team/apps.git'
const request = { repoUrl: url, project: 'dev', revisions: ['HEAD'], refresh: false }

test('a revision is requested once, by callers at the same time and later', async () => {
  await using fixture = await startGenerationFixture()
  using memory = new GeneratorInputCache(1_000)
  const { sources, observed } = hearing(memory, fixture.context)
  const { sources: others } = hearing(memory, fixture.context)
  const answers = await Promise.all([
    sources.repoServer.resolveRevisions(request),
    others.repoServer.resolveRevisions(request),
  ])
  answers.push(await others.repoServer.resolveRevisions(request))
  assert.deepEqual(
    answers.map(({ revisions }) => revisions[0]?.sha),
    ['c0ffee', 'c0ffee', 'c0ffee'],
  )
  assert.deepEqual(fixture.calls, ['resolve HEAD dev'])
  assert.deepEqual([...observed.repositories], ['git.example.com/team/apps'])
})

test('revisions of one repository for other projects are requested apart', async () => {
  await using fixture = await startGenerationFixture()
  using memory = new GeneratorInputCache(1_000)
  const { sources } = hearing(memory, fixture.context)
  await sources.repoServer.resolveRevisions(request)
  await sources.repoServer.resolveRevisions({ ...request, project: 'prod' })
  assert.deepEqual(fixture.calls, ['resolve HEAD dev', 'resolve HEAD prod'])
})

test('a repository that changed is asked again, past what repo-server remembers, and others are not', async () => {
  await using fixture = await startGenerationFixture()
  using memory = new GeneratorInputCache(1_000)
  const { sources } = hearing(memory, fixture.context)
  await sources.repoServer.resolveRevisions(request)
  memory.repositoryChanged('https://git.example.com/team/other')
  await sources.repoServer.resolveRevisions(request)
  memory.repositoryChanged('https://git.example.com/team/apps')
  await sources.repoServer.resolveRevisions(request)
  await sources.repoServer.resolveRevisions(request)
  assert.deepEqual(fixture.calls, ['resolve HEAD dev', 'resolve HEAD dev now'])
})

test('an answer that is older than the time of the generator is requested again', async () => {
  await using fixture = await startGenerationFixture()
  using memory = new GeneratorInputCache(1_000)
  await hearing(memory, fixture.context).sources.repoServer.resolveRevisions(request)
  await hearing(memory, fixture.context, { git: 0 }).sources.repoServer.resolveRevisions(request)
  const now = performance.now()
  await hearing(memory, fixture.context, { git: hour }, now).sources.repoServer.resolveRevisions(request)
  await hearing(memory, fixture.context).sources.repoServer.resolveRevisions(request)
  assert.deepEqual(fixture.calls, ['resolve HEAD dev', 'resolve HEAD dev', 'resolve HEAD dev now'])
})

test('a revision that does not exist and a failure are not cached', async () => {
  await using fixture = await startGenerationFixture({ revisions: {}, failure: new Error('away') })
  using memory = new GeneratorInputCache(1_000)
  const { sources } = hearing(memory, fixture.context)
  await assert.rejects(sources.repoServer.resolveRevisions(request))
  fixture.repository.failure = undefined
  const { revisions } = await sources.repoServer.resolveRevisions(request)
  assert.equal(revisions[0]?.error, 'revision "HEAD" does not exist')
  fixture.repository.revisions = { HEAD: 'd00d' }
  assert.equal((await sources.repoServer.resolveRevisions(request)).revisions[0]?.sha, 'd00d')
})

test('a push makes the pull requests of its repository be requested again, and no plugin', async () => {
  await using fixture = await startGenerationFixture()
  using memory = new GeneratorInputCache(1_000)
  const { sources, observed } = hearing(memory, fixture.context)
  const questions = [
    counted('pullRequest', 'argocd', 'github', { owner: 'team', repo: 'Apps' }, false),
    counted('pullRequest', 'argocd', 'gitlab', { project: 'team/apps' }, false),
    counted('pullRequest', 'argocd', 'github', { owner: 'team', repo: 'other' }, false),
    counted('plugin', 'plugin', { applicationSetName: 'team', input: { parameters: { repo: 'apps' } } }),
  ]
  const ask = () => Promise.all(questions.map(async (question) => sources.fetchCached?.(question, signal)))
  assert.deepEqual(await ask(), [1, 1, 1, 1])
  assert.deepEqual(await ask(), [1, 1, 1, 1])
  memory.repositoryChanged('git@git.example.com/team/apps')
  assert.deepEqual(await ask(), [2, 2, 1, 1])
  assert.equal(observed.answers.size, 4)
})

test('what users ask for is asked every time, and is used by passes from then on', async () => {
  await using fixture = await startGenerationFixture()
  using memory = new GeneratorInputCache(1_000)
  const recording = memory.recording<InputSources>(fixture.context)
  const { sources, observed } = hearing(memory, fixture.context)
  const question = counted('plugin', 'plugin')
  assert.equal(await sources.fetchCached?.(question, signal), 1)
  assert.equal(await recording.fetchCached?.(question, signal), 2)
  assert.equal(memory.isNewest(observed), false)
  assert.equal(await sources.fetchCached?.(question, signal), 2)
  assert.equal(memory.isNewest(observed), true)
  for (const sha of ['one', 'two']) {
    fixture.repository.revisions = { HEAD: sha }
    await recording.repoServer.resolveRevisions(request)
    const { revisions } = await sources.repoServer.resolveRevisions(request)
    assert.equal(revisions[0]?.sha, sha)
  }
  assert.deepEqual(fixture.calls, ['resolve HEAD dev', 'resolve HEAD dev'])
})

test('who waits for the answer to the question of another one waits no longer than the own time', async () => {
  await using fixture = await startGenerationFixture()
  using memory = new GeneratorInputCache(60_000)
  const { sources } = hearing(memory, fixture.context)
  const held = Promise.withResolvers<string>()
  const question: Query<string> = { key: { kind: 'plugin', subjects: [] }, ask: () => held.promise }
  const end = new AbortController()
  const ended = sources.fetchCached?.(question, end.signal)
  const other = sources.fetchCached?.(question, signal)
  end.abort(new Error('enough'))
  await assert.rejects(async () => ended, /enough/)
  held.resolve('answer')
  assert.equal(await other, 'answer')
})
