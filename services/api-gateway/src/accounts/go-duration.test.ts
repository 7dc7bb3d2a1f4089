import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goDurationSeconds } from './go-duration.ts'

const cases: [string, number | undefined][] = [
  ['24h', 86_400],
  ['1h30m', 5_400],
  ['1.5h', 5_400],
  ['90s', 90],
  ['1500ms', 1.5],
  ['', undefined],
  ['0s', undefined],
  ['24', undefined],
  ['-1h', undefined],
  ['1d', undefined],
  ['1h ', undefined],
  ['forever', undefined],
]

for (const [text, seconds] of cases) {
  test(`${JSON.stringify(text)} is ${seconds === undefined ? 'no duration' : `${seconds} seconds`}`, () => {
    assert.equal(goDurationSeconds(text), seconds)
  })
}
