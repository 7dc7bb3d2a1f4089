import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { openSingleMemory, type SharedMemory } from '@wadi/queue/shared-memory.ts'
import { RunSchema } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { startBranchBed } from '../branch-bed-fixture.ts'
import { application } from '../run-fixture.ts'
import { sha } from '../run-neighbours-fixture.ts'
import { listRuns } from '../../routes/list-runs.ts'
import { RunHistory } from './run-history.ts'
import { RunLog } from './run-log.ts'

/** The memory of hydrators of one process. */
function rememberingMemory(): SharedMemory {
  const values = new Map<string, Buffer>()
  return {
    ...openSingleMemory(),
    recall: async (name) => values.get(name),
    remember: async (name, value) => void values.set(name, value),
  }
}

test('a run tells its steps, why it ran, and what was rendered and skipped', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'), application('b'))
  bed.neighbours.fingerprint = (drySha, path) => (path.endsWith('a') ? `${drySha} ${path}` : path)
  await bed.run()
  bed.neighbours.dry = { main: sha(2) }
  await bed.fixture.reload()
  await bed.run()
  const [second, first, ...others] = await bed.runs()
  assert.equal(others.length, 0)
  assert.deepEqual(
    [first, second].map((run) => [run?.outcome, run?.total, run?.rendered, run?.skipped]),
    [
      ['Hydrated', 2, 2, 0],
      ['Hydrated', 2, 1, 1],
    ],
  )
  assert.deepEqual(
    second?.directories.map(({ path, applications, result, isChanged }) => [
      path,
      applications,
      result,
      isChanged,
    ]),
    [['a', ['argocd/a'], 'rendered', true]],
  )
  assert.deepEqual(
    [first, second].map((run) => run?.sources[0]?.reasons),
    [['first hydration'], ['new dry commit']],
  )
  assert.deepEqual(
    second?.steps.map(({ name, drySha }) => [name, drySha]),
    [
      ['observe', ''],
      ['validate', ''],
      ['inspect', sha(2)],
      ['commit', sha(2)],
      ['lookBack', ''],
      ['report', ''],
    ],
  )
})

test('a run that only notes its dry commit takes the place of the last such run, and one with nothing to do is not told', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  bed.neighbours.fingerprint = (_, path) => path
  await bed.run()
  await bed.fixture.reload()
  await bed.run()
  assert.deepEqual(
    (await bed.runs()).map(({ outcome }) => outcome),
    ['Hydrated'],
  )
  for (const number of [2, 3]) {
    bed.neighbours.dry = { main: sha(number) }
    await bed.run()
  }
  const runs = await bed.runs()
  assert.deepEqual(
    runs.map(({ outcome }) => outcome),
    ['Unchanged', 'Hydrated'],
  )
  assert.deepEqual([runs[0]?.sources[0]?.drySha, runs[0]?.skipped], [sha(3), 1])
})

test('a run that fails names the directories that cannot be rendered, and the step', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'), application('b'))
  bed.neighbours.broken.render.add('apps/b')
  await bed.run()
  const [run] = await bed.runs()
  assert.deepEqual(
    [run?.outcome, run?.failed, run?.directories[0]?.path, run?.directories[0]?.error],
    ['Failed', 1, 'b', 'cannot render apps/b'],
  )
  assert.deepEqual(
    run?.events.map(({ type, reason }) => [type, reason]),
    [['Warning', 'HydrationFailed']],
  )
  bed.neighbours.broken.render.clear()
  bed.neighbours.broken.inspect.add('apps/a')
  bed.neighbours.dry = { main: sha(2) }
  await bed.fixture.reload()
  await bed.run()
  const [next] = await bed.runs()
  assert.deepEqual(
    [
      next?.outcome,
      next?.directories.map(({ path, error }) => `${path}: ${error}`),
      next?.sources[0]?.reasons,
    ],
    ['Failed', ['a: no apps/a'], ['first hydration', 'the last run failed']],
  )
})

test('a run is known at every moment from its first step to its end', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  const outcomes: string[] = []
  const { events } = bed.fixture.context
  const look = async () => outcomes.push(...(await bed.runs()).map(({ outcome }) => outcome))
  const looks: Promise<unknown>[] = []
  bed.fixture.context.events = {
    ...events,
    step: (name) => {
      if (name === 'commit' || name === 'report') looks.push(look())
    },
    finished: (all, milliseconds) => {
      events.finished(all, milliseconds)
      queueMicrotask(() => looks.push(look()))
    },
  }
  await bed.run()
  await Promise.all(looks)
  assert.deepEqual(outcomes, ['Running', 'Running', 'Hydrated'])
})

test('20 runs of a branch are kept, also by another process, and what is cut short is not there', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-runs-'))
  const memory = openSingleMemory()
  const history = new RunHistory(scratch.path, memory)
  for (let number = 10; number < 35; number++) {
    await history.add('branch', create(RunSchema, { id: `${number}`, startedAt: `2026-01-${number}` }))
  }
  const { runs } = await new RunHistory(scratch.path, memory).read('branch')
  assert.deepEqual([runs.length, runs[0]?.id, runs.at(-1)?.id], [20, '34', '15'])
  await writeFile(join(scratch.path, 'branch.runs'), 'x')
  assert.deepEqual((await history.read('branch')).runs, [])
})

test('a run of a hydrator that was killed is not shown, as the queue does not run its branch', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-runs-'))
  const history = new RunHistory(scratch.path, rememberingMemory())
  await history.report('branch', create(RunSchema, { id: 'a', outcome: 'Running', startedAt: '2026-01-01' }))
  const outcomes = async (state: 'active' | 'waiting') => {
    const queue = { states: async () => new Map([['branch', state]]) }
    const list = listRuns({ runs: new RunLog(history), queue })
    const { runs } = await list({ $typeName: 'wadi.hydrator.v1.ListRunsRequest', branchKey: 'branch' })
    return runs.map(({ outcome }) => outcome)
  }
  assert.deepEqual(await outcomes('active'), ['Running'])
  assert.deepEqual(await outcomes('waiting'), [])
})

test('the end of a run is the last report of it, however long the one before takes', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-runs-'))
  const memory = rememberingMemory()
  const first = Promise.withResolvers<void>()
  let reports = 0
  const slow: SharedMemory = {
    ...memory,
    remember: async (name, value) => {
      if (reports++ === 0) await first.promise
      await memory.remember(name, value)
    },
  }
  const log = new RunLog(new RunHistory(scratch.path, slow))
  const run = log.begin('branch')
  await log.step('branch', 'observe', '', async () => undefined)
  await log.step('branch', 'validate', '', async () => undefined)
  const ended = run[Symbol.asyncDispose]()
  first.resolve()
  await ended
  assert.equal(reports, 2)
  assert.deepEqual(await log.list('branch'), [])
})

test('runs of a branch without Applications are removed, and what a process did not finish', async () => {
  await using bed = await startBranchBed()
  await bed.fixture.add(application('a'))
  await bed.run()
  const directory = join(bed.fixture.directory, '..', 'runs')
  assert.equal((await readdir(directory)).length, 1)
  await bed.fixture.store.delete('Application', 'argocd', 'a')
  await bed.fixture.reload()
  await bed.run()
  assert.deepEqual(await readdir(directory), [])
  await writeFile(join(directory, '.branch.b7c0'), 'x')
  await new RunHistory(directory, openSingleMemory()).removeUnfinished()
  assert.deepEqual(await readdir(directory), [])
})

test('hydrators that share a memory see the runs of each other, and those under way', async () => {
  await using one = await mkdtempDisposable(join(tmpdir(), 'wadi-runs-'))
  await using other = await mkdtempDisposable(join(tmpdir(), 'wadi-runs-'))
  const memory = rememberingMemory()
  const [first, second] = [one, other].map(({ path }) => new RunHistory(path, memory))
  await first?.add('branch', create(RunSchema, { id: 'a', startedAt: '2026-01-01' }))
  await second?.add('branch', create(RunSchema, { id: 'b', startedAt: '2026-01-02' }))
  assert.deepEqual(
    (await first?.read('branch'))?.runs.map(({ id }) => id),
    ['b', 'a'],
  )
  await second?.report('branch', create(RunSchema, { id: 'c', startedAt: '2026-01-03' }))
  assert.equal((await first?.read('branch'))?.underWay?.id, 'c')
  await second?.add('branch', create(RunSchema, { id: 'c', startedAt: '2026-01-03' }))
  assert.equal((await first?.read('branch'))?.underWay, undefined)
})
