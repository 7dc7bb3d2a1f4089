import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { isAlive } from './is-alive.ts'
import { until } from './until.ts'

const parent = `
  const args = ['--import', ${JSON.stringify(import.meta.resolve('./end-with-parent.ts'))}, '--eval']
  const program = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log(process.pid)'
  const { spawn } = require('node:child_process')
  spawn(process.execPath, [...args, program], { stdio: ['pipe', 'inherit', 'inherit'] })
  setInterval(() => {}, 1000)`

test(
  'a program of a test ends with the process of the test, however that ended',
  { skip: process.platform === 'linux' ? false : 'reads /proc' },
  async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const child = spawn(process.execPath, ['--eval', parent], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [line] = await once(child.stdout, 'data')
      const pid = Number(line)
      assert.ok(isAlive(pid))
      child.kill(signal)
      await until(() => !isAlive(pid))
    }
  },
)
