import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  CanceledError,
  DeadlineExceededError,
  FailedPreconditionError,
  InvalidInputError,
  ResourceExhaustedError,
} from '@wadi/errors/domain-error.ts'
import { type CommandOptions, runCommand } from './run-command.ts'

const options = (changes: Partial<CommandOptions> = {}): CommandOptions => ({
  cwd: tmpdir(),
  environment: { PATH: '/usr/bin:/bin' },
  signal: new AbortController().signal,
  timeoutMs: 20_000,
  graceMs: 200,
  maxOutputBytes: 1000,
  ...changes,
})

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!condition()) {
    assert.ok(Date.now() < deadline, 'the condition holds in time')
    await delay(10)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a command gives its output without one line feed, and its errors', async () => {
  const output = await runCommand(['sh', '-c', 'printf "a\\n\\n"; echo oops >&2'], options())
  assert.deepEqual(output, { text: 'a\n', errors: 'oops' })
})

test('a command sees the given environment alone', async () => {
  const { text } = await runCommand(['/usr/bin/env'], options({ environment: { ONLY: 'this' } }))
  assert.equal(text, 'ONLY=this')
})

test("the PATH of the command's environment does not decide what runs", async () => {
  const { text } = await runCommand(['sh', '-c', 'echo real'], options({ environment: { PATH: '/nowhere' } }))
  assert.equal(text, 'real')
})

test("a failure is told in Argo CD's words", async () => {
  await assert.rejects(
    runCommand(['sh', '-c', 'echo no >&2; exit 3'], options()),
    new InvalidInputError('`sh -c "echo no >&2; exit 3"` failed exit status 3: no'),
  )
  await assert.rejects(
    runCommand(['wadi-has-no-such-tool'], options()),
    new FailedPreconditionError('exec: "wadi-has-no-such-tool": executable file not found in $PATH'),
  )
  await assert.rejects(runCommand(['./none.sh'], options()), FailedPreconditionError)
  const huge = options({ environment: { HUGE: 'x'.repeat(200_000) } })
  await assert.rejects(runCommand(['sh'], huge), /cannot start `sh`: .*E2BIG/)
})

test('a stopped command and its children may tidy up within the grace', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'wadi-run-'))
  const started = path.join(folder.path, 'started')
  const script = `trap 'echo tidied > tidied; exit' TERM; touch started; while :; do sleep 0.05; done`
  const stop = new AbortController()
  const running = runCommand(
    ['sh', '-c', `sh -c "$1"`, 'sh', script],
    options({ cwd: folder.path, signal: stop.signal, graceMs: 10_000 }),
  )
  await Promise.all([
    assert.rejects(running, CanceledError),
    until(() => existsSync(started)).then(() => stop.abort()),
  ])
  await until(() => existsSync(path.join(folder.path, 'tidied')))
})

test('a command that does not heed SIGTERM is killed after the grace', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'wadi-run-'))
  const script = `trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done`
  await writeFile(path.join(folder.path, 'stubborn.sh'), script)
  const limits = options({ cwd: folder.path, timeoutMs: 500 })
  await assert.rejects(
    runCommand(['sh', 'stubborn.sh'], limits),
    new DeadlineExceededError('`sh stubborn.sh` took longer than 0.5 s'),
  )
  const pid = Number(await readFile(path.join(folder.path, 'pid'), 'utf8'))
  await until(() => !isAlive(pid))
})

test('what a command leaves in the background is killed', async () => {
  const { text } = await runCommand(['sh', '-c', 'sleep 1000 >/dev/null 2>&1 & echo $!'], options())
  await until(() => !isAlive(Number(text)))
})

test('a command that writes too much is stopped', async () => {
  await assert.rejects(
    runCommand(['sh', '-c', 'yes'], options()),
    new ResourceExhaustedError('`sh -c yes` wrote more than 1000 bytes'),
  )
})

test('a command is not started after the call ended', async () => {
  const signal = AbortSignal.abort()
  await assert.rejects(runCommand(['sh', '-c', 'true'], options({ signal })), CanceledError)
})
