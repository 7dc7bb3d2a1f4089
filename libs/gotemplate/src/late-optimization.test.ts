import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { usualTieringBudget } from './late-optimization.ts'

test('the usual budget is the default of V8, to which it is set back', () => {
  const options = execFileSync(process.execPath, ['--v8-options']).toString()
  const [, budget] = /--wasm-tiering-budget=(\d+)/.exec(options) ?? []
  assert.equal(Number(budget), usualTieringBudget)
})
