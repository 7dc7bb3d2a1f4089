// Own process: it works as another user for a while.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readAdminToken } from '@wadi/api-gateway/authentication/admin-token.ts'
import { incompleteMarker } from '@wadi/errors/unusable-directory.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import { loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { lockDataDirectory } from './data-directory-lock.ts'

const run = promisify(execFile)
const skip =
  process.platform !== 'linux' || process.getuid?.() !== 0
    ? 'only root may change to another user and mount'
    : false
const other = 54_321

/** The first uses that services make of files of a data directory. */
const uses: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  'lock.db': async (file) => (await lockDataDirectory(dirname(file)))[Symbol.dispose](),
  'state.db': async (file) => {
    await using store = openSqliteStore({ file })
    await store.list('ConfigMap')
  },
  'service.key': (file) => loadServiceKey(file),
  'admin.token': (file) => readAdminToken(undefined, file),
}

async function as<Result>(user: number, work: () => Promise<Result>): Promise<Result> {
  process.setegid?.(user)
  process.seteuid?.(user)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: Error) => `${error.name}: ${error.message}`,
  )
}

for (const [name, use] of Object.entries(uses)) {
  test(`no ${name} is made in a directory that is not restored to the end`, async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-incomplete-'))
    writeFileSync(join(directory.path, incompleteMarker), '')
    assert.match(
      await messageOf(use(join(directory.path, name))),
      /^FailedPreconditionError: .* is incomplete: /,
    )
    assert.deepEqual(readdirSync(directory.path), [incompleteMarker])
  })

  test(`an unusable directory or ${name} is named with the user and what to do`, { skip }, async () => {
    await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-unusable-'))
    chmodSync(scratch.path, 0o755)
    const named = (directory: string, user: number, reason: RegExp) =>
      new RegExp(
        `^FailedPreconditionError: the data directory ${directory} cannot be used by user ${user}: .*${reason.source}.*; ` +
          `mount a volume there that user ${user} may write, or give it to that user \\(chown -R ${user} ${directory}\\)$`,
      )
    const foreign = join(scratch.path, 'foreign')
    mkdirSync(foreign, { mode: 0o755 })
    const missing = join(foreign, 'below')
    for (const directory of [foreign, missing]) {
      const message = await as(other, () => messageOf(use(join(directory, name))))
      assert.match(message, named(directory, other, /EACCES/))
    }
    // Made by another user, as after a change of runAsUser.
    const changed = join(scratch.path, 'changed')
    mkdirSync(changed)
    await use(join(changed, name))
    chmodSync(changed, 0o777)
    assert.match(
      await as(other, () => messageOf(use(join(changed, name)))),
      named(changed, other, /EACCES|unable to open database file/),
    )
    const readOnly = join(scratch.path, 'read-only')
    mkdirSync(readOnly)
    await run('mount', ['-t', 'tmpfs', '-o', 'ro,size=64k', 'wadi-test', readOnly])
    try {
      assert.match(await messageOf(use(join(readOnly, name))), named(readOnly, 0, /EROFS/))
    } finally {
      await run('umount', ['--lazy', readOnly])
    }
    assert.deepEqual(readdirSync(foreign), [])
  })

  test(
    `a ${name} of another user that this one may use by its group is used as it is`,
    { skip },
    async () => {
      await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-group-'))
      const file = join(directory.path, name)
      await use(file)
      chmodSync(directory.path, 0o2770)
      chmodSync(file, 0o660)
      chownSync(directory.path, 0, other)
      chownSync(file, 0, other)
      assert.equal(await as(other, () => messageOf(use(file))), 'no error')
      assert.equal(statSync(file).mode & 0o777, 0o660)
    },
  )
}

test('a lock.db that is no database is not taken for a second process', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-lock-'))
  writeFileSync(join(directory.path, 'lock.db'), 'no database at all '.repeat(500))
  assert.doesNotMatch(await messageOf(lockDataDirectory(directory.path)), /another process/)
  rmSync(join(directory.path, 'lock.db'))
})
