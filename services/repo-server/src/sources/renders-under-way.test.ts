import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { RendersUnderWay } from './renders-under-way.ts'

const limit = 2 ** 30
const temporaryDirectory = () => mkdtempDisposable(join(tmpdir(), 'wadi-under-way-'))
const never = () => new Promise<never>(() => undefined)

const run = <Result>(underWay: RendersUnderWay, key: string, render: () => Promise<Result>) =>
  underWay.run(key, (work) => work(), render)

/** Starts the service again on what a killed one left. */
const opened = (directory: string, limitBytes = limit) => new RendersUnderWay(directory, limitBytes)

/** Has a new service killed while it renders. */
async function killedWhile(directory: string, ...keys: string[]): Promise<void> {
  const underWay = opened(directory)
  for (const key of keys) {
    const begun = Promise.withResolvers<void>()
    void run(underWay, key, () => {
      begun.resolve()
      return never()
    })
    await begun.promise
  }
}

async function files(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true })
  return names.filter((name) => name.includes('/'))
}

test('a source whose render kills the service three times has an error of its own, and others are rendered', async () => {
  await using directory = await temporaryDirectory()
  for (const _ of [1, 2, 3]) await killedWhile(directory.path, 'deadly')
  const underWay = opened(directory.path)
  await assert.rejects(run(underWay, 'deadly', never), {
    name: 'ProgramKilledError',
    message:
      /^repo-server was killed 3 times while .* raise the memory limit of its container, 1024Mi \(repoServer\.resources\.limits\.memory/,
  })
  assert.equal(await run(underWay, 'other', async () => 'rendered'), 'rendered')
  const higher = opened(directory.path, 2 * limit)
  assert.equal(await run(higher, 'deadly', async () => 'rendered'), 'rendered')
})

test('what was under way together is rendered one at a time, and suspected no longer then', async () => {
  await using directory = await temporaryDirectory()
  await killedWhile(directory.path, 'deadly', 'harmless')
  const second = opened(directory.path)
  assert.equal(second.suspected, 2)
  const end = Promise.withResolvers<string>()
  const harmless = run(second, 'harmless', () => end.promise)
  const order: string[] = []
  const deadly = run(second, 'deadly', async () => order.push('deadly'))
  await run(second, 'unsuspected', async () => order.push('unsuspected'))
  order.push('harmless')
  end.resolve('alone')
  assert.equal(await harmless, 'alone')
  await deadly
  assert.deepEqual([order, second.suspected], [['unsuspected', 'harmless', 'deadly'], 0])
})

test('renders that end, by an error too, leave nothing, and one of two with one key stays noted', async () => {
  await using directory = await temporaryDirectory()
  const underWay = opened(directory.path)
  await assert.rejects(
    run(underWay, 'a', async () => Promise.reject(new Error('no chart'))),
    /no chart/,
  )
  assert.deepEqual(await files(directory.path), [])
  const end = Promise.withResolvers<void>()
  const first = run(underWay, 'b', () => end.promise)
  await run(underWay, 'b', async () => undefined)
  assert.equal((await files(directory.path)).length, 1)
  end.resolve()
  await first
  assert.deepEqual(await files(directory.path), [])
})

test('a source is tried once more after an hour', async (t) => {
  await using directory = await temporaryDirectory()
  for (const _ of [1, 2, 3]) await killedWhile(directory.path, 'deadly')
  const underWay = opened(directory.path)
  await assert.rejects(run(underWay, 'deadly', never), { name: 'ProgramKilledError' })
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_001 })
  assert.equal(await run(underWay, 'deadly', async () => 'rendered'), 'rendered')
})
