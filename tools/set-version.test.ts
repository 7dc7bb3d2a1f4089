import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'

test('packages, chart and image tags have the version of the project', () => {
  const script = path.join(import.meta.dirname, 'set-version.ts')
  const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  assert.match(`${stdout}${stderr}`, /^all versions are \d+\.\d+\.\d+\n$/)
})
