import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Reuse } from '@wadi/incremental/reuse.ts'
import { startBranchBed } from '../branch-bed-fixture.ts'
import { application } from '../run-fixture.ts'
import { sha } from '../run-neighbours-fixture.ts'

for (const [setting, landed] of [
  ['on', [['a', 'b'], []]],
  [
    'off',
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  ],
] as const) {
  test(`with reuse ${setting}, a dry commit that changes no directory renders ${setting === 'on' ? 'none' : 'all'}`, async () => {
    await using bed = await startBranchBed(undefined, new Reuse(setting))
    bed.neighbours.fingerprint = (_commit, path) => path
    await bed.fixture.add(application('a'), application('b'))
    await bed.run()
    bed.neighbours.dry['main'] = sha(2)
    await bed.run()
    assert.deepEqual(
      bed.neighbours.landed.map(({ paths }) => paths),
      landed,
    )
  })
}
