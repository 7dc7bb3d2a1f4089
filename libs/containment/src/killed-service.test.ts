import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { ownSeconds, sleepers } from '@wadi/testing/sleepers.ts'
import { until } from '@wadi/testing/until.ts'

const program = `
  const { startContainment } = await import(${JSON.stringify(new URL('containment-fixture.ts', import.meta.url).href)})
  const bed = await startContainment()
  const script = 'sleep ${ownSeconds} & setsid sleep ${ownSeconds} & echo > started-$$; sleep ${ownSeconds}'
  void bed.shell(script).catch(() => undefined)
  void bed.shell(script, { isolation: undefined }).catch(() => undefined)
  void bed.shell('trap "" HUP INT TERM; ' + script, { isolation: undefined }).catch(() => undefined)
  setInterval(() => undefined, 60_000)
`

test('no program outlives a service that is killed', { skip: process.platform !== 'linux' }, async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-killed-'))
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, TMPDIR: scratch.path },
    stdio: 'inherit',
  })
  const exited = once(child, 'exit')
  try {
    await until(() => sleepers().length === 9)
  } finally {
    child.kill('SIGKILL')
    await exited
  }
  await until(() => sleepers().length === 0)
})
