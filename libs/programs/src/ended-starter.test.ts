import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { isAlive } from '@wadi/testing/is-alive.ts'
import { until } from '@wadi/testing/until.ts'
import { linuxAlone, output, start, startersOf } from './start-program-fixture.ts'
import { StarterLostError } from './started-program.ts'

const run = promisify(execFile)

test(
  'when the process that starts programs ends, what it started ends too, and the next call starts a new one',
  { skip: linuxAlone },
  async () => {
    const program = await start(['sh', '-c', 'trap "" TERM; sleep 600 & echo on; wait'])
    program.stdout.once('data', () => undefined)
    const [starter = 0] = startersOf(process.pid)
    process.kill(starter, 'SIGKILL')
    await assert.rejects(program.closed, (error) => {
      assert.ok(error instanceof StarterLostError && error.retryable)
      return true
    })
    await until(() => !isAlive(program.pid))
    await Promise.all(
      [program.stdin, program.stdout].map((stream) => finished(stream).catch(() => undefined)),
    )
    assert.equal((await output(['echo', 'again'])).out, 'again\n')
    assert.notEqual(startersOf(process.pid)[0], starter)
  },
)

test(
  'a start while the process for it ends succeeds with another one, or may be tried again',
  { skip: linuxAlone },
  async () => {
    await output(['true'])
    const [starter = 0] = startersOf(process.pid)
    const starting = [output(['true']), output(['true'])]
    process.kill(starter, 'SIGKILL')
    for (const one of await Promise.allSettled(starting)) {
      if (one.status === 'fulfilled') assert.equal(one.value.exitCode, 0)
      else assert.ok(one.reason instanceof StarterLostError, String(one.reason))
    }
    assert.equal((await output(['echo', 'again'])).out, 'again\n')
  },
)

test(
  'a temporary directory that somebody empties disturbs neither running programs nor the next ones',
  { skip: linuxAlone },
  async () => {
    await using scratch = await mkdtempDisposable(`${tmpdir()}/wadi-programs-`)
    const script = `
    const { startProgram } = await import(${JSON.stringify(import.meta.resolve('./start-program.ts'))})
    const { readdirSync, rmSync } = await import('node:fs')
    const program = { command: 'cat', args: [], cwd: '/', environment: { PATH: '/usr/bin:/bin' }, hasInput: true, leadsGroup: true, label: 'cat' }
    const first = await startProgram(program)
    const directory = process.env.TMPDIR
    for (const name of readdirSync(directory)) rmSync(directory + '/' + name, { recursive: true })
    const second = await startProgram(program)
    for (const cat of [first, second]) cat.stdin.end()
    console.log((await first.closed).exitCode, (await second.closed).exitCode)`
    const env = { ...process.env, TMPDIR: scratch.path }
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { env })
    assert.equal(stdout, '0 0\n')
  },
)

for (const [signal, handled] of [
  ['SIGKILL', ''],
  ['SIGTERM', 'process.on("SIGTERM", () => process.exit(1));'],
] as const)
  test(
    `programs end with a process that ends by ${signal}, and leave no directory`,
    { skip: linuxAlone },
    async () => {
      await using scratch = await mkdtempDisposable(`${tmpdir()}/wadi-programs-`)
      const script = `${handled}
      const { startProgram } = await import(${JSON.stringify(import.meta.resolve('./start-program.ts'))})
      const args = ['-c', 'sleep 600 & echo $!; exec sleep 600']
      const program = { command: '/bin/sh', args, cwd: '/', environment: {}, hasInput: true, label: 'sh' }
      const pids = []
      for (const leadsGroup of [true, false]) {
        const { pid, stdout } = await startProgram({ ...program, leadsGroup })
        for await (const line of stdout) {
          pids.push(pid, String(line).trim())
          break
        }
      }
      console.log(pids.join(' '))`
      const parent = run(process.execPath, ['--input-type=module', '--eval', script], {
        env: { ...process.env, TMPDIR: scratch.path },
      })
      const { stdout } = parent.child
      const [line] =
        stdout === null
          ? []
          : await new Promise<[string]>((resolve) => stdout.once('data', (data) => resolve([String(data)])))
      const pids = (line ?? '').trim().split(' ').map(Number)
      assert.deepEqual(pids.map(isAlive), [true, true, true, true])
      parent.child.kill(signal)
      await assert.rejects(parent)
      await until(() => !pids.some(isAlive))
      await until(() => readdirSync(scratch.path).length === 0)
    },
  )

test(
  'a process that ends by itself leaves no directory, even if the one that starts programs is held up',
  { skip: linuxAlone },
  async () => {
    await using scratch = await mkdtempDisposable(`${tmpdir()}/wadi-programs-`)
    const script = `
    const { output, startersOf } = await import(${JSON.stringify(import.meta.resolve('./start-program-fixture.ts'))})
    await output(['true'])
    const [starter] = startersOf(process.pid)
    process.kill(starter, 'SIGSTOP')
    console.log(starter)`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: scratch.path },
    })
    try {
      assert.deepEqual(readdirSync(scratch.path), [])
    } finally {
      process.kill(Number(stdout), 'SIGKILL')
    }
  },
)
