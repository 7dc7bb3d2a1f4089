import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtempDisposable, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lockDataDirectory } from './data-directory-lock.ts'

const program = `
  const { lockDataDirectory } = await import(${JSON.stringify(new URL('data-directory-lock.ts', import.meta.url).href)})
  try {
    await lockDataDirectory(process.argv[1])
    console.log('locked')
    setInterval(() => undefined, 60_000)
  } catch (error) {
    console.log(error.name)
  }
`

/** Starts a process that locks a directory; `answer` is `locked` or the name of the error. */
async function lockInProcess(directory: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [answer] = await once(child.stdout, 'data')
  return {
    answer: String(answer).trim(),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function rejection(directory: string) {
  return {
    name: 'FailedPreconditionError',
    message: `another process uses the data directory ${directory}; stop it or choose another directory`,
  }
}

test('a second process is refused while the first one lives, and the lock of a killed one is free', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-lock-'))
  const directory = join(scratch.path, 'data')
  await using first = await lockInProcess(directory)
  assert.equal(first.answer, 'locked')
  await assert.rejects(lockDataDirectory(directory), rejection(directory))
  await using second = await lockInProcess(directory)
  assert.equal(second.answer, 'FailedPreconditionError')
  await first.kill()
  using lock = await lockDataDirectory(directory)
  assert.ok(lock)
  await using third = await lockInProcess(directory)
  assert.equal(third.answer, 'FailedPreconditionError')
})

test('the same process is refused too, until it lets go', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-lock-'))
  const directory = join(scratch.path, 'data')
  {
    using locks = new DisposableStack()
    locks.use(await lockDataDirectory(directory))
    await assert.rejects(lockDataDirectory(directory), rejection(directory))
  }
  using again = await lockDataDirectory(directory)
  assert.ok(again)
})

test('directories are locked each for itself, and a new one is for its owner alone', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-lock-'))
  await chmod(scratch.path, 0o755)
  const directory = join(scratch.path, 'deep', 'data')
  using locks = new DisposableStack()
  locks.use(await lockDataDirectory(directory))
  locks.use(await lockDataDirectory(join(scratch.path, 'other')))
  for (const made of ['deep', 'deep/data', 'other'])
    assert.equal((await stat(join(scratch.path, made))).mode & 0o777, 0o700, made)
})
