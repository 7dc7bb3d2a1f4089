import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { openDatabase } from './sqlite-database.ts'
import { GroupCommit } from './sqlite-group-commit.ts'

const directory = mkdtempSync(join(tmpdir(), 'wadi-group-commit-'))
after(() => rmSync(directory, { recursive: true, force: true }))

let files = 0
function open(): { database: DatabaseSync; commits: GroupCommit; committed: () => number } {
  const database = openDatabase(join(directory, `${files++}.db`))
  database.exec('CREATE TABLE names (name TEXT PRIMARY KEY)')
  let committed = 0
  const commits = new GroupCommit(database, () => committed++)
  return { database, commits, committed: () => committed }
}

function insert(database: DatabaseSync, name: string): string {
  database.prepare('INSERT INTO names VALUES (?)').run(name)
  return name
}

function stored(database: DatabaseSync): unknown[] {
  return database
    .prepare('SELECT name FROM names ORDER BY name')
    .all()
    .map(({ name }) => name)
}

test('changes that come together are stored by one commit, each with its own result', async () => {
  const { database, commits, committed } = open()
  const names = ['a', 'b', 'c']
  const results = await Promise.all(names.map(async (name) => commits.store(() => insert(database, name))))
  assert.deepEqual(results, names)
  assert.equal(committed(), 1)
  await commits.store(() => insert(database, 'd'))
  assert.equal(committed(), 2)
  assert.deepEqual(stored(database), [...names, 'd'])
})

test('a change that fails half-way is taken back alone', async () => {
  const { database, commits } = open()
  const failing = () => {
    insert(database, 'half')
    throw new Error('no more')
  }
  const [first, second, third] = await Promise.allSettled([
    commits.store(() => insert(database, 'a')),
    commits.store(failing),
    commits.store(() => insert(database, 'b')),
  ])
  assert.deepEqual([first?.status, second?.status, third?.status], ['fulfilled', 'rejected', 'fulfilled'])
  assert.deepEqual(stored(database), ['a', 'b'])
})

test('when the disk is full exactly what was reported as stored is there, and later changes are stored', async () => {
  const { database, commits } = open()
  const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count'])
  database.exec(`PRAGMA max_page_count = ${pages + 1}`)
  const names = ['a', 'b'.repeat(100_000), 'c']
  const results = await Promise.allSettled(
    names.map(async (name) => commits.store(() => insert(database, name))),
  )
  assert.equal(results[1]?.status, 'rejected')
  const reported = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  assert.deepEqual(stored(database), reported)
  database.exec('PRAGMA max_page_count = 100000')
  await commits.store(() => insert(database, 'later'))
  assert.deepEqual(stored(database), [...reported, 'later'])
})

test('changes fail together while another process writes for too long', async () => {
  const { database, commits, committed } = open()
  using other = openDatabase(join(directory, `${files - 1}.db`))
  database.exec('PRAGMA busy_timeout = 0')
  other.exec('BEGIN IMMEDIATE')
  const results = await Promise.allSettled(
    ['a', 'b'].map(async (name) => commits.store(() => insert(database, name))),
  )
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(committed(), 0)
  other.exec('ROLLBACK')
  await commits.store(() => insert(database, 'a'))
  assert.deepEqual(stored(database), ['a'])
})
