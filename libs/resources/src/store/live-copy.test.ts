import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { namesIn, startUser } from './user-process-fixture.ts'

const scratch = mkdtempSync(join(tmpdir(), 'wadi-live-copy-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const isRefused = {
  name: 'FailedPreconditionError',
  message: /state\.db is damaged, .*copied while a service wrote.*wadi admin restore/,
}

/** Copies a file of a store that another process has open. */
function copyPart(file: string, copy: string, part: string): void {
  mkdirSync(dirname(copy), { recursive: true })
  copyFileSync(file + part, copy + part)
}

/** The names of the objects that a user process stores one after the other, from a number on. */
async function createMany(user: Awaited<ReturnType<typeof startUser>>, from: number, to: number) {
  const names = Array.from({ length: to - from }, (_, index) => `object-${from + index}`)
  for (const name of names) assert.ok(await user.create(name))
  return names
}

test('a copy whose files are of two moments is refused', async () => {
  const file = join(scratch, 'two-moments', 'state.db')
  const copies = ['main-first', 'log-first'].map((name) => join(scratch, name, 'state.db'))
  const user = await startUser(file)
  const [mainFirst = '', logFirst = ''] = copies
  await createMany(user, 1000, 1200)
  copyPart(file, mainFirst, '')
  copyPart(file, logFirst, '-wal')
  await createMany(user, 1200, 1800)
  copyPart(file, mainFirst, '-wal')
  copyPart(file, logFirst, '')
  await user.end('SIGKILL')
  // A supervisor starts the service again, and the first start has moved the log into the file.
  for (const copy of [...copies, ...copies]) await assert.rejects(namesIn(copy), isRefused)
})

test('a copy with a log that only grew meanwhile has all of it', async () => {
  const file = join(scratch, 'one-log', 'state.db')
  const copy = join(scratch, 'one-log-copy', 'state.db')
  const user = await startUser(file)
  const before = await createMany(user, 1000, 1010)
  copyPart(file, copy, '')
  const meanwhile = await createMany(user, 1010, 1020)
  for (const part of ['-wal', '-shm']) copyPart(file, copy, part)
  await user.end('SIGKILL')
  assert.deepEqual(await namesIn(copy), [...before, ...meanwhile])
})

test('a copy of a directory that is written has all from before it, or is refused', async () => {
  const file = join(scratch, 'live', 'state.db')
  const user = await startUser(file)
  const stored: string[] = await createMany(user, 10_000, 10_300)
  for (let number = 0; number < 10; number++) {
    const copy = join(scratch, `live-${number}`)
    const least = stored.length
    const copying = cp(dirname(file), copy, { recursive: true })
    stored.push(...(await createMany(user, 10_000 + least, 10_000 + least + 60)))
    await copying
    const names = await namesIn(join(copy, 'state.db')).catch((error: Error) => error)
    if (names instanceof Error) {
      assert.match(names.message, isRefused.message)
      continue
    }
    assert.ok(names.length >= least)
    assert.deepEqual(names, stored.slice(0, names.length))
  }
  await user.end('SIGKILL')
  assert.deepEqual(await namesIn(file), stored)
})
