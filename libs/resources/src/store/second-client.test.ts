import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { mountSmallDisk, noSmallDisk } from '@wadi/testing/small-disk.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { namesIn, startUser } from './user-process-fixture.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const scratch = mkdtempSync(join(tmpdir(), 'wadi-second-client-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
let files = 0

/**
 * The uses that another program makes of the file. The library of Node.js notices when locks were given up by a close (SQLite 3.51), the sqlite3 of
 * today's distributions does not.
 */
const clients: Readonly<Record<string, (copy: string) => string[]>> = {
  read: () => ['SELECT count(*) FROM resources'],
  check: () => ['PRAGMA integrity_check'],
  backup: (copy) => [`.backup '${copy}'`],
  vacuum: (copy) => [`VACUUM INTO '${copy}'`],
  write: () => ['.timeout 20000', 'CREATE TABLE IF NOT EXISTS theirs (x)', 'INSERT INTO theirs VALUES (1)'],
}
const skip = spawnSync('sqlite3', ['--version']).status === 0 ? false : 'sqlite3 is missing'

async function runClient(client: string, file: string): Promise<string> {
  const copy = join(scratch, `copy-${files++}.db`)
  const { stdout } = await promisify(execFile)('sqlite3', ['-bail', file, ...(clients[client]?.(copy) ?? [])])
  if (client === 'check') assert.equal(stdout, 'ok\n')
  return copy
}

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  for (const client of Object.keys(clients)) {
    test(
      `what is acknowledged survives another program that comes to ${client}, and ${signal}`,
      { skip },
      async () => {
        const file = join(scratch, `${files++}`, 'state.db')
        const user = await startUser(file)
        assert.ok(await user.create('before'))
        const first = await runClient(client, file)
        assert.ok(await user.create('between'))
        const second = await runClient(client, file)
        assert.ok(await user.create('last'))
        if (process.platform === 'linux') assert.deepEqual(user.deletedFiles(scratch), [])
        await user.end(signal)
        assert.deepEqual(await namesIn(file), ['before', 'between', 'last'])
        await runClient('check', file)
        if (client === 'backup' || client === 'vacuum') {
          assert.deepEqual([await namesIn(first), await namesIn(second)], [['before'], ['before', 'between']])
        }
      },
    )
  }
}

test(
  'on a full disk, beside another program, what is acknowledged is there and the rest is not',
  { skip: skip || noSmallDisk },
  async () => {
    await using owned = new AsyncDisposableStack()
    const disk = join(scratch, 'small-disk')
    await mountSmallDisk(owned, disk)
    const file = join(disk, 'state.db')
    const user = await startUser(file)
    const acknowledged: string[] = []
    for (let index = 100; await user.create(`object-${index}`); index++) {
      acknowledged.push(`object-${index}`)
      if (index % 20 === 0) await runClient('backup', file)
    }
    assert.equal(await user.create('refused'), false)
    await user.end('SIGKILL')
    assert.ok(acknowledged.length > 20)
    assert.deepEqual(await namesIn(file), acknowledged)
  },
)

test(
  'a copy of the directory of a process that was killed holds what it acknowledged',
  { skip },
  async () => {
    const directory = join(scratch, 'copied')
    const file = join(directory, 'state.db')
    const user = await startUser(file)
    for (const name of ['a', 'b']) assert.ok(await user.create(name))
    await runClient('backup', file)
    assert.ok(await user.create('c'))
    await user.end('SIGKILL')
    await cp(directory, `${directory}-elsewhere`, { recursive: true })
    assert.deepEqual(await namesIn(join(`${directory}-elsewhere`, 'state.db')), ['a', 'b', 'c'])
  },
)

test(
  'a process keeps its lock on a file that it opens again',
  { skip: process.platform !== 'linux' },
  async () => {
    const file = join(scratch, 'locked', 'state.db')
    await using one = openSqliteStore({ file })
    await using other = openSqliteStore({ file })
    assert.deepEqual((await Promise.all([one, other].map((store) => store.list('ConfigMap')))).length, 2)
    const lock = new RegExp(
      `POSIX +ADVISORY +READ +${process.pid} [0-9a-f]+:[0-9a-f]+:${statSync(file).ino} `,
    )
    assert.match(readFileSync('/proc/locks', 'utf8'), lock)
  },
)

test('the stores of a file share one connection, which the last one closes', async () => {
  const file = join(scratch, 'shared', 'state.db')
  const one = openSqliteStore({ file })
  const other = openSqliteStore({ file: join(scratch, 'shared', '..', 'shared', 'state.db') })
  const seen = other.watch('ConfigMap', { signal: AbortSignal.timeout(hangLimitMs) })[Symbol.asyncIterator]()
  const first = seen.next()
  await one.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'n', name: 'a' } })
  assert.equal((await first).value?.resource.metadata.name, 'a')
  await one[Symbol.asyncDispose]()
  await one[Symbol.asyncDispose]()
  assert.notEqual(await other.get('ConfigMap', 'n', 'a'), undefined)
  await seen.return?.(undefined)
  await other[Symbol.asyncDispose]()
  assert.deepEqual(readdirSync(join(scratch, 'shared')), ['state.db'])
})
