import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { until } from '@wadi/testing/until.ts'

/** Its runs have a number of seconds to sleep that no other process has. */
const program = `
  const { startContainment } = await import(${JSON.stringify(new URL('containment-fixture.ts', import.meta.url).href)})
  const bed = await startContainment()
  const script = 'sleep 4242 & setsid sleep 4242 & echo > started-$$; sleep 4242'
  void bed.shell(script).catch(() => undefined)
  void bed.shell(script, { isolation: undefined }).catch(() => undefined)
  void bed.shell('trap "" HUP INT TERM; ' + script, { isolation: undefined }).catch(() => undefined)
  setInterval(() => undefined, 60_000)
`

function sleepers(): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1') === 'sleep\x004242\0'
    } catch {
      return false
    }
  }).length
}

test('no program outlives a service that is killed', { skip: process.platform !== 'linux' }, async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-killed-'))
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, TMPDIR: scratch.path },
    stdio: 'inherit',
  })
  const exited = once(child, 'exit')
  try {
    await until(() => sleepers() === 9)
  } finally {
    child.kill('SIGKILL')
    await exited
  }
  await until(() => sleepers() === 0)
})
