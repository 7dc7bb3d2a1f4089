import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtempDisposable, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { EndedSpan } from '@wadi/telemetry/span.ts'
import { runInTrace } from '@wadi/telemetry/trace.ts'
import { linuxAlone, output, start, startersOf } from './start-program-fixture.ts'
import { signalProgram } from './started-program.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const run = promisify(execFile)

test('output, error output and exit code of a program come back, also when it ends at once', async () => {
  assert.deepEqual(await output(['sh', '-c', 'echo out; echo bad >&2; exit 3']), {
    out: 'out\n',
    errors: 'bad\n',
    exitCode: 3,
    signal: null,
  })
  const ends = await Promise.all(
    Array.from({ length: 40 }, (_, code) => output(['sh', '-c', `exit ${code}`])),
  )
  assert.deepEqual(
    ends.map(({ exitCode }) => exitCode),
    Array.from({ length: 40 }, (_, code) => code),
  )
})

test('programs that run at once get each their own streams', async () => {
  const names = Array.from({ length: 60 }, (_, number) => `program ${number}`)
  const outputs = await Promise.all(
    names.map(async (name) => {
      const program = await start(['cat'])
      program.stdin.end(name)
      return await text(program.stdout)
    }),
  )
  assert.deepEqual(outputs, names)
})

test('a signal that ends a program is reported', async () => {
  const program = await start(['sleep', '600'])
  signalProgram(program.pid, 'SIGTERM', 'group')
  assert.deepEqual(await program.closed, { exitCode: null, signal: 'SIGTERM' })
  // It is gone.
  signalProgram(program.pid, 'SIGKILL', 'group')
})

test('a large input comes through whole, and a program that does not read makes its writer wait', async () => {
  const chunk = Buffer.alloc(256 * 1024, 'x')
  const program = await start(['sh', '-c', 'sleep 0.2; wc -c'])
  let isWaiting = false
  const chunks = async function* () {
    for (let round = 0; round < 80; round += 1) {
      isWaiting ||= program.stdin.writableNeedDrain
      yield chunk
    }
  }
  const size = text(program.stdout)
  await pipeline(Readable.from(chunks()), program.stdin)
  assert.equal((await size).trim(), String(80 * chunk.length))
  assert.ok(isWaiting || program.stdin.writableFinished)
})

test('a program that does not read its input ends all the same, and writing to it fails', async () => {
  const program = await start(['true'])
  const writing = pipeline(Readable.from([Buffer.alloc(4_000_000)]), program.stdin)
  await assert.rejects(writing)
  assert.equal((await program.closed).exitCode, 0)
})

test('a program without input reads from an empty device', { skip: linuxAlone }, async () => {
  const { out } = await output(['sh', '-c', 'readlink /proc/self/fd/0; cat'], { hasInput: false })
  assert.equal(out, '/dev/null\n')
})

test('a program sees its variables and its directory alone, and leads a group if it shall', async () => {
  await using made = await mkdtempDisposable(`${tmpdir()}/wadi-programs-`)
  const directory = await realpath(made.path)
  const environment = { PATH: '/usr/bin:/bin', 'odd.name': 'a\nb', EMPTY: '' }
  const { out } = await output(['env', '-0'], { environment, cwd: directory })
  assert.deepEqual(out.split('\0').filter(Boolean).toSorted(), [
    'EMPTY=',
    'PATH=/usr/bin:/bin',
    'odd.name=a\nb',
  ])
  assert.equal((await output(['pwd'], { cwd: directory })).out, `${directory}\n`)
  for (const leadsGroup of [true, false]) {
    const program = await start(['sh', '-c', 'ps -o pgid= -p $$; cat'], { leadsGroup })
    program.stdin.end()
    assert.equal(Number(await text(program.stdout)) === program.pid, leadsGroup)
  }
})

test(
  'neither arguments nor variables of a program show at the process that starts it',
  { skip: linuxAlone },
  async () => {
    const program = await start(['cat'], { environment: { PATH: '/usr/bin:/bin', SECRET: 'sesame' } })
    const [starter = 0] = startersOf(process.pid)
    const seen = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${starter}/${name}`, 'latin1'))
    assert.doesNotMatch(seen.join(''), /sesame/)
    program.stdin.end()
    await program.closed
  },
)

test('a program that cannot be started is an error with the code of the system', async () => {
  await assert.rejects(start(['wadi-nonexistent']), {
    code: 'ENOENT',
    message: 'spawn wadi-nonexistent ENOENT',
  })
  await assert.rejects(start(['true'], { cwd: '/nonexistent' }), { code: 'ENOENT' })
  await assert.rejects(start(['/etc/passwd']), { code: 'EACCES' })
  await assert.rejects(start(['true'], { environment: { HUGE: 'x'.repeat(200_000) } }), { code: 'E2BIG' })
  await assert.rejects(start(['nul\0']), { code: 'ERR_INVALID_ARG_VALUE' })
})

test('output of what a program left running is read to its end', async () => {
  const program = await start(['sh', '-c', '(sleep 0.2; echo late) & exit 5'])
  const out = text(program.stdout)
  assert.equal((await program.exited).exitCode, 5)
  assert.equal(await out, 'late\n')
  assert.equal((await program.closed).exitCode, 5)
})

test('neither a program that need not end nor the process for it keeps this one from ending', async () => {
  const script = `
    const { startProgram } = await import(${JSON.stringify(import.meta.resolve('./start-program.ts'))})
    const program = { args: [], cwd: '/', environment: { PATH: '/usr/bin:/bin' }, hasInput: true, leadsGroup: true, label: 'cat' }
    const cat = await startProgram({ ...program, command: 'cat' })
    cat.setReferenced(false)
    const other = await startProgram({ ...program, command: 'cat' })
    other.stdin.end('seen')
    other.stdout.pipe(process.stdout)
    console.log((await other.exited).exitCode)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: hangLimitMs,
  })
  assert.deepEqual(
    stdout.split('').toSorted().join('').trim(),
    '\n0seen'.split('').toSorted().join('').trim(),
  )
})

test(
  'a limit on open files is reported with its code, and lifted with the limit',
  { skip: linuxAlone },
  async () => {
    const script = `
    const { startProgram } = await import(${JSON.stringify(import.meta.resolve('./start-program.ts'))})
    const { execFileSync } = await import('node:child_process')
    const program = { command: 'true', args: [], cwd: '/', environment: { PATH: '/usr/bin:/bin' }, hasInput: true, leadsGroup: true, label: 'true' }
    await (await startProgram(program)).closed
    const limit = (most) => execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=' + most + ':'])
    limit(20)
    for (let round = 0; round < 5; round += 1) {
      const error = await startProgram(program).catch((reason) => reason)
      console.log(error.code)
    }
    process.exit()`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
      timeout: hangLimitMs,
    })
    assert.equal(stdout, 'EMFILE\n'.repeat(5))
  },
)

test('a program is a span of the running trace, with how it ended', async () => {
  const spans: EndedSpan[] = []
  const sink = { add: (span: EndedSpan) => void spans.push(span) }
  await runInTrace(undefined, () => output(['false']), sink)
  await assert.rejects(runInTrace(undefined, () => start(['missing-program']), sink))
  assert.deepEqual(
    spans.map(({ name, hasFailed, attributes }) => [name, hasFailed, attributes['process.exit.code']]),
    [
      ['false', false, 1],
      ['missing-program', true, undefined],
    ],
  )
})
