// Own process: a world has its own clocks and timers in the place of Node's.
import assert from 'node:assert/strict'
import path from 'node:path'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { compileCache } from '@wadi/testing/quick-start.ts'
import { type WorldKind, worldOf } from '../world-kinds.ts'
import { mutations } from './mutations.ts'

const main = path.resolve(import.meta.dirname, '../main.ts')

/** A change of the mesh changes the orders that seeds stand for, so a mutation may be found by another one. */
const maxSeeds = 1_500

for (const { name, seed, flag, found } of mutations) {
  test(`found in the world of seed ${seed}, or of another one: ${name}`, async () => {
    const options = [...(flag ? [flag] : []), '--mutation', name]
    const here = await simulate('--from', String(seed), '--seeds', '1', ...options)
    const anywhere =
      here.code === 1 ? here : await simulate('--seeds', String(maxSeeds), '--first', ...options)
    assert.equal(anywhere.code, 1, anywhere.output)
    assert.match(anywhere.output, found)
  })
}

test('none is found in those worlds without a mutation', async () => {
  for (const world of new Set(mutations.map(({ seed, flag = '--hydrators' }) => `${seed} ${flag}`))) {
    const [seed = '', kind = ''] = world.split(' --')
    const { problems } = await worldOf(seed, kind as WorldKind).live()
    assert.deepEqual(problems, [], world)
  }
})

function simulate(...args: string[]): Promise<{ code: number | null; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; output: string }>()
  const environment = { ...process.env, NODE_COMPILE_CACHE: compileCache }
  const child = execFile(
    process.execPath,
    [main, ...args],
    { env: environment },
    (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, output: stdout + stderr })
    },
  )
  return promise
}
