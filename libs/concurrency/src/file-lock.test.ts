import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { takeFileLock, waitForFileLock } from './file-lock.ts'

const program = `
  const { takeFileLock } = await import(${JSON.stringify(new URL('file-lock.ts', import.meta.url).href)})
  console.log(takeFileLock(process.argv[1]) ? 'locked' : 'taken')
  setInterval(() => undefined, 60_000)
`

test('one process has a lock, and that of a killed one is free for who waits', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-file-lock-'))
  const file = join(scratch.path, 'lock.db')
  const options = ['--input-type=module', '--eval', program, file]
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  try {
    assert.equal(String((await once(child.stdout, 'data'))[0]), 'locked\n')
    assert.equal(takeFileLock(file), undefined)
    const aborted = AbortSignal.abort(new Error('enough'))
    await assert.rejects(waitForFileLock(file, aborted), /enough/)
  } finally {
    child.kill('SIGKILL')
    await exited
  }
  using lock = await waitForFileLock(file, new AbortController().signal)
  assert.ok(lock)
  assert.equal(takeFileLock(file), undefined, 'this process has it')
})
