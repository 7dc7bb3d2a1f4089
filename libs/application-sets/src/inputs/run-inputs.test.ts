import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { startGeneratorFixture } from '../generator-fixture.ts'
import { openGuard } from './input-guard.ts'
import { GeneratorInputs } from './run-inputs.ts'

const { signal } = new AbortController()

test('reading stops when the bytes are spent', async () => {
  await using fixture = await startGeneratorFixture({
    files: { a: 'x'.repeat(600), b: 'y'.repeat(600), c: 'z'.repeat(600) },
  })
  const inputs = new GeneratorInputs(fixture.context, { refresh: false, guard: openGuard, signal })
  const commit = await inputs.commit('https://git.example.com/r.git', 'HEAD', '')
  let left = 600
  const spend = (bytes: number): void => {
    left -= bytes
    if (left < 0) throw new ResourceExhaustedError('spent')
  }
  await assert.rejects(inputs.files(commit, ['a', 'b', 'c'], spend), /spent/)
  assert.deepEqual(fixture.calls.slice(1), ['read a,b,c', 'read a,b', 'read a', 'read b'])
})

test('an answer is requested once, also by callers at the same time', async () => {
  await using fixture = await startGeneratorFixture({ matches: { '*': ['a'] } })
  const inputs = new GeneratorInputs(fixture.context, { refresh: false, guard: openGuard, signal })
  const ask = async () => {
    const commit = await inputs.commit('https://git.example.com/r.git', 'HEAD', '')
    return inputs.paths(commit, { kind: 'files', includes: ['*'], excludes: [], hidden: false })
  }
  assert.deepEqual(await Promise.all([ask(), ask()]), [['a'], ['a']])
  assert.deepEqual(fixture.calls, ['resolve HEAD ', 'list files * -'])
})
