import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atMost, costText, information, measurementTable, median } from './measurement.ts'

test('a value on its bar is ok and one above it is missed', () => {
  assert.equal(atMost('cold', 1.3, '× bare', 1.3, '').ok, true)
  assert.equal(atMost('cold', 1.31, '× bare', 1.3, '').ok, false)
})

test('the median is the cost with the middle wall time', () => {
  const costs = [3, 1, 2].map((wall) => ({ wall, cpu: wall * 10 }))
  assert.deepEqual(median(costs), { wall: 2, cpu: 20 })
  assert.throws(() => median([]), /at least one cost/)
})

test('the table shows value, bar, verdict and the seconds behind them in columns', () => {
  const table = measurementTable([
    atMost('cold', 1.1649, '× bare', 1.3, costText({ wall: 12.3456, cpu: 20 })),
    atMost('memory', 2048, 'MiB', 1024, 'all'),
    information('complete', 600, 's', 'once'),
  ])
  assert.equal(
    table,
    [
      'MEASURE   VALUE        BAR             BASIS',
      'cold      1.16 × bare  ≤ 1.30  ok      12.346 s wall, 20.000 s cpu',
      'memory    2048 MiB     ≤ 1024  MISSED  all',
      'complete  600 s                        once',
    ].join('\n'),
  )
})
