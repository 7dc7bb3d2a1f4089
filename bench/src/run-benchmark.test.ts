import assert from 'node:assert/strict'
import path from 'node:path'
import { after, test } from 'node:test'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { smallestEffort, standardEffort } from './effort.ts'
import { measures } from './measures.ts'
import { runBenchmark } from './run-benchmark.ts'

// Renderers that are found need not be unpacked, which every run of the benchmark would do.
const { helm, kustomize } = await findTools({ cacheDirectory: toolCache })
const ownPath = process.env['PATH']
process.env['PATH'] = [
  ...[helm, kustomize].map(({ command: [program = ''] }) => path.dirname(program)),
  ownPath,
].join(path.delimiter)
after(() => {
  process.env['PATH'] = ownPath
})

test('a measure is run at the smallest size and its values are returned', async () => {
  const begun: string[] = []
  const { measurements, failures } = await runBenchmark({
    names: ['program-start'],
    effort: smallestEffort,
    progress: (text) => begun.push(text),
  })
  assert.deepEqual(failures, [])
  assert.equal(begun[0], 'program-start')
  assert.equal(begun.length, 1 + measurements.length)
  assert.match(begun[1] ?? '', /^  .*: .*, (?:MISSED: )?at most .*; .* ms cpu /)
  assert.match(measurements[0]?.basis ?? '', / ms cpu /)
})

test('commit-server takes the calls of the benchmark', async () => {
  const { measurements, failures } = await runBenchmark({
    names: ['commit-server'],
    effort: smallestEffort,
    progress: () => undefined,
  })
  assert.deepEqual(failures, [])
  assert.deepEqual(
    measurements.map(({ name }) => name),
    ['commit-server, 20 paths'],
  )
})

test('a measure that fails is reported, and the next one still runs', async () => {
  const effort = {
    ...smallestEffort,
    applications: () => {
      throw new Error('no applications today')
    },
  }
  const { measurements, failures } = await runBenchmark({
    names: ['commit-server', 'program-start'],
    effort,
    progress: () => undefined,
  })
  assert.deepEqual(
    failures.map(({ measure, error }) => [measure, String(error)]),
    [['commit-server', 'Error: no applications today']],
  )
  assert.match(measurements[0]?.name ?? '', /^program start, /)
})

test('a part of a measure that fails keeps none of the others from running', async () => {
  let asked = 0
  const effort = {
    ...smallestEffort,
    applications: (standard: number) => {
      // The informer's updates come after what both caches follow.
      if (asked++ === 1) throw new Error('no updates today')
      return smallestEffort.applications(standard)
    },
  }
  const { measurements, failures } = await runBenchmark({
    names: ['kubernetes'],
    effort,
    progress: () => undefined,
  })
  assert.deepEqual(
    failures.map(({ measure, error }) => [measure, String(error)]),
    [['kubernetes, informer', 'Error: no updates today']],
  )
  assert.match(measurements[0]?.name ?? '', /^kubernetes, memory of a process with a store/)
})

test('an unknown measure is refused with the names that there are', async () => {
  const run = runBenchmark({ names: ['speed'], effort: standardEffort(undefined), progress: () => undefined })
  const names = measures.flatMap((measure) => measure.names).join(', ')
  await assert.rejects(run, { message: `unknown measure speed; expected one of ${names}` })
})

test('no two measures share a name', () => {
  const names = measures.flatMap((measure) => measure.names)
  assert.deepEqual(names, [...new Set(names)])
})
