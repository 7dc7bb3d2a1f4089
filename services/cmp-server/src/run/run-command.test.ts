import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { isAlive } from '@wadi/testing/is-alive.ts'
import { until } from '@wadi/testing/until.ts'
import {
  CanceledError,
  FailedPreconditionError,
  InvalidInputError,
  ProgramKilledError,
  ResourceExhaustedError,
  TimeLimitError,
} from '@wadi/errors/domain-error.ts'
import { commandDirectory } from './run-command-fixture.ts'
import { runCommand } from './run-command.ts'

test('a command gives its output without one line feed, and its errors', async () => {
  await using directory = await commandDirectory()
  const output = await runCommand(['sh', '-c', 'printf "a\\n\\n"; echo oops >&2'], directory.options())
  assert.deepEqual(output, { text: 'a\n', errors: 'oops' })
})

test('output that is not UTF-8 is refused when it is read, and only then', async () => {
  await using directory = await commandDirectory()
  const output = await runCommand(['printf', String.raw`a\ncaf\351`], directory.options())
  assert.equal(output.errors, '')
  assert.throws(
    () => output.text,
    (error) =>
      error instanceof InvalidInputError &&
      error.message.endsWith(':2: byte 6 (0xe9) is not UTF-8; let it write UTF-8'),
  )
})

test('a command sees the given environment and the mark of its run alone', async () => {
  await using directory = await commandDirectory()
  const environment = new Map([
    ['ONLY', 'this'],
    ['__proto__', 'too'],
  ])
  const { text } = await runCommand(['/usr/bin/env'], directory.options({ environment }))
  assert.deepEqual(text.split('\n').toSorted(), [
    'ONLY=this',
    `WADI_PLUGIN_RUN=${directory.path}`,
    '__proto__=too',
  ])
})

test("the PATH of the command's environment does not decide what runs", async () => {
  await using directory = await commandDirectory()
  const environment = new Map([['PATH', '/nowhere']])
  const { text } = await runCommand(['sh', '-c', 'echo real'], directory.options({ environment }))
  assert.equal(text, 'real')
})

test("a program is looked up in the given directories in order, and a path in the application's directory", async () => {
  await using directory = await commandDirectory()
  const beside = path.join(directory.path, 'beside')
  await mkdir(path.join(beside, 'wadi-tool-directory'), { recursive: true })
  for (const name of ['wadi-tool', 'sh']) {
    await writeFile(path.join(beside, name), `#!/bin/sh\necho "${name} from beside"\n`)
    await chmod(path.join(beside, name), 0o755)
  }
  const options = directory.options({ programDirectories: ['/usr/bin', '/bin', beside] })
  assert.equal((await runCommand(['wadi-tool'], options)).text, 'wadi-tool from beside')
  assert.equal((await runCommand(['sh', '-c', 'echo the system'], options)).text, 'the system')
  assert.equal((await runCommand(['beside/wadi-tool'], options)).text, 'wadi-tool from beside')
  await assert.rejects(runCommand(['wadi-tool-directory'], options), /executable file not found in \$PATH/)
})

test("a failure is reported with Argo CD's message", async () => {
  await using directory = await commandDirectory()
  await assert.rejects(
    runCommand(['sh', '-c', 'echo no >&2; exit 3'], directory.options()),
    new InvalidInputError('`sh -c "echo no >&2; exit 3"` failed exit status 3: no'),
  )
  await assert.rejects(
    runCommand(['sh', '-c', 'kill -KILL $$'], directory.options()),
    new ProgramKilledError(
      '`sh -c "kill -KILL $$"` was killed by signal 9, probably by the kernel\'s out-of-memory killer; give the machine more memory or run fewer at a time',
    ),
  )
  await assert.rejects(
    runCommand(['sh', '-c', 'kill -SEGV $$'], directory.options()),
    new InvalidInputError('`sh -c "kill -SEGV $$"` failed signal: segmentation fault: '),
  )
  await assert.rejects(
    runCommand(['wadi-has-no-such-tool'], directory.options()),
    new FailedPreconditionError('exec: "wadi-has-no-such-tool": executable file not found in $PATH'),
  )
  await assert.rejects(runCommand(['./none.sh'], directory.options()), FailedPreconditionError)
  await writeFile(path.join(directory.options().cwd, 'plain.sh'), 'echo x', { mode: 0o644 })
  await assert.rejects(
    runCommand(['./plain.sh'], directory.options()),
    /cannot start ".\/plain.sh": nobody may execute it; set spec.preserveFileMode/,
  )
  const huge = directory.options({ environment: new Map([['HUGE', 'x'.repeat(200_000)]]) })
  await assert.rejects(runCommand(['sh'], huge), /cannot start `sh`: .*E2BIG/)
  assert.deepEqual((await runCommand(['echo', 'next'], directory.options())).text, 'next')
})

test('the end of a long error output is reported, cleaned also where it was cut', async () => {
  await using directory = await commandDirectory()
  const options = directory.options({ clean: (text) => text.replaceAll('secret-word', '***') })
  const script = 'printf "%70000s\\n" secret-word; printf "%70000s\\nthe secret-word end" secret-word'
  await assert.rejects(runCommand(['sh', '-c', `{ ${script}; } >&2; exit 1`], options), (error: Error) => {
    assert.match(error.message, /failed exit status 1: [^]*the \*\*\* end$/)
    assert.ok(error.message.length < 2000)
    return true
  })
  const halves = await runCommand(
    ['sh', '-c', 'printf "%s" secret- word >&2; echo " $1" >&2', 'sh', 'x'],
    options,
  )
  assert.equal(halves.errors, '*** x')
})

test('a stopped command and its children may tidy up within the grace', async () => {
  await using directory = await commandDirectory()
  const started = path.join(directory.path, 'started')
  const script = `trap 'echo tidied > tidied; exit' TERM; touch started; while :; do sleep 0.05; done`
  const stop = new AbortController()
  const running = runCommand(
    ['sh', '-c', `sh -c "$1"`, 'sh', script],
    directory.options({ signal: stop.signal, graceMs: 10_000 }),
  )
  await Promise.all([
    assert.rejects(running, CanceledError),
    until(() => existsSync(started)).then(() => stop.abort()),
  ])
  assert.equal(await readFile(path.join(directory.path, 'tidied'), 'utf8'), 'tidied\n')
})

test('a command that does not heed SIGTERM is killed after the grace', async () => {
  await using directory = await commandDirectory()
  const script = `trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done`
  await writeFile(path.join(directory.path, 'stubborn.sh'), script)
  await assert.rejects(
    runCommand(['sh', 'stubborn.sh'], directory.options({ timeoutMs: 500 })),
    new TimeLimitError('`sh stubborn.sh` took longer than 0.5 s and was stopped'),
  )
  const pid = Number(await readFile(path.join(directory.path, 'pid'), 'utf8'))
  await until(() => !isAlive(pid))
})

const daemons = [
  ['stays in the group', 'sleep 1000 >/dev/null 2>&1 & echo $! > pid'],
  ['leaves the group', "setsid sh -c 'echo $$ > pid; exec sleep 1000' >/dev/null 2>&1 &"],
  [
    'leaves the group and the directory',
    'cd /; setsid sh -c \'echo $$ > "$1"; exec sleep 1000\' sh "$OLDPWD/pid" >/dev/null 2>&1 &',
  ],
  [
    'forks twice and drops its environment',
    "(setsid env -i sh -c 'echo $$ > pid; exec sleep 1000' >/dev/null 2>&1 &) &",
  ],
  ['leaves the group and keeps the output open', "setsid sh -c 'echo $$ > pid; exec sleep 1000' &"],
] as const

for (const [how, script] of daemons) {
  test(`a background process that ${how} is killed`, async () => {
    await using directory = await commandDirectory()
    const pidFile = path.join(directory.path, 'pid')
    const wait = 'while ! [ -s pid ]; do sleep 0.01; done'
    const { text } = await runCommand(
      ['sh', '-c', `D=$PWD; ${script}\ncd "$D"; ${wait}; echo done`],
      directory.options(),
    )
    assert.equal(text, 'done')
    const pid = Number(readFileSync(pidFile, 'utf8'))
    assert.ok(pid > 0)
    await until(() => !isAlive(pid))
  })
}

test('a command with twenty children leaves none of them when it is stopped', async () => {
  await using directory = await commandDirectory()
  const script = `for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1000 & echo $! >> pids; setsid sleep 1000 & echo $! >> pids; done; touch all; wait`
  const stop = new AbortController()
  const running = runCommand(
    ['sh', '-c', script],
    directory.options({ signal: stop.signal, maxOutputBytes: 10 }),
  )
  await Promise.all([
    assert.rejects(running, CanceledError),
    until(() => existsSync(path.join(directory.path, 'all'))).then(() => stop.abort()),
  ])
  const pids = readFileSync(path.join(directory.path, 'pids'), 'utf8').trim().split('\n').map(Number)
  assert.equal(pids.length, 20)
  await until(() => !pids.some((pid) => isAlive(pid)))
})

test('a command that closes its output and still runs is awaited', async () => {
  await using directory = await commandDirectory()
  const { text } = await runCommand(
    ['sh', '-c', 'echo first; exec >&- 2>&-; sleep 0.3; touch late'],
    directory.options(),
  )
  assert.equal(text, 'first')
  assert.ok(existsSync(path.join(directory.path, 'late')))
})

test('a command that writes too much is stopped, and the next one is not hindered', async () => {
  await using directory = await commandDirectory()
  await assert.rejects(
    runCommand(['head', '-c', '1G', '/dev/zero'], directory.options({ maxOutputBytes: 1 << 20 })),
    new ResourceExhaustedError('`head -c 1G /dev/zero` wrote more than 1048576 bytes and was stopped'),
  )
  assert.equal((await runCommand(['echo', 'next'], directory.options())).text, 'next')
})

test('a command is not started after the call ended', async () => {
  await using directory = await commandDirectory()
  const signal = AbortSignal.abort()
  await assert.rejects(runCommand(['touch', 'started'], directory.options({ signal })), CanceledError)
  assert.equal(existsSync(path.join(directory.path, 'started')), false)
})
