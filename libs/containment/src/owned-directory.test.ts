import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { openOwnedDirectory } from './owned-directory.ts'

const program = `
  const { openOwnedDirectory } = await import(${JSON.stringify(new URL('owned-directory.ts', import.meta.url).href)})
  console.log((await openOwnedDirectory('wadi-owned-')).path)
  setInterval(() => undefined, 60_000)
`

async function openScratch(t: TestContext): Promise<string> {
  const scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-scratch-'))
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = scratch.path
  t.after(async () => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    await scratch.remove()
  })
  return scratch.path
}

async function openInProcess() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [printed] = await once(child.stdout, 'data')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return { directory: String(printed).trim(), kill, [Symbol.asyncDispose]: kill }
}

test('the directory of a killed process is removed at the next start, and that of a live one stays', async (t) => {
  await openScratch(t)
  await using killed = await openInProcess()
  await using alive = await openInProcess()
  await killed.kill()
  {
    await using own = await openOwnedDirectory('wadi-owned-')
    assert.deepEqual(
      [killed, alive, { directory: own.path }].map(({ directory }) => existsSync(directory)),
      [false, true, true],
    )
    await using second = await openOwnedDirectory('wadi-owned-')
    assert.ok(existsSync(own.path) && second.path !== own.path)
  }
  await using other = await openOwnedDirectory('wadi-other-')
  assert.ok(existsSync(alive.directory) && existsSync(other.path))
})

test('a directory that another process removes before it is locked is made again', async (t) => {
  const scratch = await openScratch(t)
  const locking = t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    locking.mock.restore()
    for (const name of readdirSync(scratch)) rmSync(path.join(scratch, name), { recursive: true })
    this.exec(sql)
  })
  await using own = await openOwnedDirectory('wadi-owned-')
  assert.deepEqual(readdirSync(scratch), [path.basename(own.path)])
  await using second = await openOwnedDirectory('wadi-owned-')
  assert.ok(existsSync(own.path) && second.path !== own.path)
})

test('a directory that is used for weeks looks used, with all that is in it', async (t) => {
  await openScratch(t)
  t.mock.timers.enable({ apis: ['setInterval'] })
  await using own = await openOwnedDirectory('wadi-owned-')
  const root = path.join(own.path, 'roots/root-0')
  mkdirSync(root, { recursive: true })
  const places = [own.path, root, path.join(own.path, 'owner.db')]
  for (const place of places) utimesSync(place, 1_000, 1_000)
  t.mock.timers.tick(12 * 60 * 60 * 1_000)
  await until(() => places.every((place) => statSync(place).mtimeMs > 1_000_000))
})

test('a directory without an owner is removed after a day, and nothing that merely has the name', async (t) => {
  const scratch = await openScratch(t)
  const [young, old, link, target] = ['wadi-owned-young', 'wadi-owned-old', 'wadi-owned-link', 'kept'].map(
    (name) => path.join(scratch, name),
  ) as [string, string, string, string]
  for (const directory of [young, old, target]) mkdirSync(directory)
  symlinkSync(target, link)
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1_000)
  for (const directory of [old, target]) utimesSync(directory, longAgo, longAgo)
  await using own = await openOwnedDirectory('wadi-owned-')
  assert.deepEqual(
    [young, old, link, target, own.path].map((place) => existsSync(place)),
    [true, false, true, true, true],
  )
})
