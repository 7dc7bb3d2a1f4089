import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readlink, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { compileCache } from '@wadi/testing/quick-start.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { redisAvailable, startRedisServer } from '@wadi/testing/redis-server.ts'
import type { RedisServer } from '@wadi/testing/redis-server.ts'
import { until } from '@wadi/testing/until.ts'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { openRedisQueue } from './redis-queue.ts'

const workerProgram = join(import.meta.dirname, '../testdata/worker-process.ts')

test('a URL that is none of Redis is refused without being repeated', () => {
  assert.throws(
    () => openRedisQueue({ url: 'http://user:hunter2@localhost' }),
    (error) => error instanceof InvalidInputError && !error.message.includes('hunter2'),
  )
})

describe('with a Redis', { skip: (await redisAvailable()) ? false : 'needs Docker or redis-server' }, () => {
  let server: RedisServer
  before(async () => {
    server = await startRedisServer({ appendonly: true })
  })
  after(() => server[Symbol.asyncDispose]())

  test('after FLUSHALL in the middle of a run, an enqueue of the same key runs again', async () => {
    const prefix = randomUUID()
    await using queue = openRedisQueue({ url: server.url, prefix, lockDurationMs: 1000 })
    const gate = Promise.withResolvers<void>()
    let runs = 0
    let running = 0
    let most = 0
    queue.work(
      async () => {
        most = Math.max(most, ++running)
        if (++runs === 1) await gate.promise
        running--
      },
      { concurrency: 4 },
    )
    await queue.enqueue('a')
    await until(() => runs === 1)
    await command(server, 'FLUSHALL')
    await queue.enqueue('a')
    gate.resolve()
    await until(() => runs === 2)
    assert.equal(most, 1)
    await queue.enqueue('a')
    await until(() => runs === 3)
  })

  test('a handler whose job is wiped out learns it through its signal, and its key runs again', async () => {
    await using queue = openRedisQueue({ url: server.url, prefix: randomUUID(), lockDurationMs: 400 })
    const aborted: boolean[] = []
    queue.work(
      (_key, signal) => {
        aborted.push(false)
        if (aborted.length > 1) return Promise.resolve()
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted[0] = true
            reject(new Error('stopped'))
          })
        })
      },
      { concurrency: 1 },
    )
    await queue.enqueue('a')
    await until(() => aborted.length === 1)
    await command(server, 'FLUSHALL')
    await until(() => aborted.length === 2)
    assert.deepEqual(aborted, [true, false])
  })

  test('a Redis that is killed and comes back costs time, not a key', async () => {
    await using queue = openRedisQueue({ url: server.url, prefix: randomUUID(), lockDurationMs: 1000 })
    const runs: string[] = []
    queue.work(async (key) => void runs.push(key), { concurrency: 1 })
    await queue.enqueue('before')
    await until(() => runs.includes('before'))
    await server.kill()
    const enqueued = queue.enqueue('while away')
    await server.restart()
    await enqueued
    await until(() => runs.includes('while away'))
    await queue.enqueue('after')
    await until(() => runs.includes('after'))
  })

  test('a queue and its worker close while Redis is unreachable', async () => {
    await using lonely = await startRedisServer()
    const queue = openRedisQueue({ url: lonely.url })
    const runs: string[] = []
    queue.work(async (key) => void runs.push(key), { concurrency: 1 })
    await queue.enqueue('a')
    await until(() => runs.length === 1)
    await lonely.kill()
    await queue[Symbol.asyncDispose]()
  })

  test('a finished and a parked job leave nothing behind but counters, and no message of an error', async () => {
    const prefix = randomUUID()
    await using queue = openRedisQueue({
      url: server.url,
      prefix,
      retry: { attempts: 2, firstPauseMs: 1, maxPauseMs: 1 },
    })
    let runs = 0
    queue.work(
      async (key) => {
        runs++
        if (key === 'bad') throw new Error('canary-secret')
      },
      { concurrency: 1 },
    )
    await queue.enqueue('good')
    await queue.enqueue('bad')
    await until(() => runs === 3)
    await until(async () => (await queue.depth()).active === 0)
    const keys = String(await command(server, 'KEYS', `${prefix}:*`)).split(',')
    const allowed = /:(id|lanes|meta|events|marker|stalled-check|delayed|completed|failed)$/
    assert.deepEqual(
      keys.filter((key) => !allowed.test(key)),
      [],
    )
    assert.ok(Number(await command(server, 'TTL', `${prefix}:hydrated-branches:lanes`)) > 0)
    const events = await command(server, 'XRANGE', `${prefix}:hydrated-branches:events`, '-', '+')
    assert.ok(!JSON.stringify(events).includes('canary-secret'))
  })

  test('an evicting Redis is warned of, and no log line holds the password', async () => {
    await using strict = await startRedisServer()
    await command(strict, 'CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    await command(strict, 'CONFIG', 'SET', 'requirepass', 'hunter2')
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const url = strict.url.replace('redis://', 'redis://:hunter2@')
    const heard: string[] = []
    await using queue = openRedisQueue({ url, logger, onEviction: (warning) => heard.push(warning) })
    await queue.enqueue('a')
    await until(() => lines.some((line) => line.includes('noeviction')))
    assert.deepEqual(heard, [queue.warning])
    assert.match(queue.warning ?? '', /maxmemory-policy allkeys-lru\): set maxmemory-policy to noeviction/)
    const wrong = openRedisQueue({ url: url.replace('hunter2', 'hunter23'), logger })
    await until(() => lines.some((line) => line.includes('WRONGPASS')))
    await wrong[Symbol.asyncDispose]()
    assert.ok(!lines.some((line) => line.includes('hunter2')))
  })

  test('settings of Redis by which jobs are lost are found, each with the command that changes it', async () => {
    await using careless = await startRedisServer()
    await using queue = openRedisQueue({ url: careless.url })
    await queue.enqueue('a')
    const found = async () => (await queue.findings()).map(({ severity, message }) => [severity, message])
    const forgetful = [
      'info',
      'Redis keeps nothing on disk: after its restart, branches that waited wait for the next poll of their repositories',
    ]
    assert.deepEqual(await found(), [forgetful])
    await command(careless, 'CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    assert.deepEqual(await found(), [
      ['warning', 'Redis may evict queued jobs: its maxmemory-policy is allkeys-lru'],
      forgetful,
    ])
    await command(careless, 'CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
    await command(careless, 'CONFIG', 'SET', 'maxmemory', '1000')
    assert.match(String((await found())[0]), /^warning,Redis uses \d+ of 1000 bytes, and refuses writes/)
    await command(careless, 'CONFIG', 'SET', 'maxmemory', '0')
    await command(careless, 'CONFIG', 'SET', 'save', '3600 1')
    assert.deepEqual(await found(), [])
  })

  test('a worker takes no more than its share, which it asks for when a run ended', async () => {
    await using queue = openRedisQueue({ url: server.url, prefix: randomUUID() })
    for (const key of ['a', 'b', 'c', 'd', 'e']) await queue.enqueue(key)
    const first = Promise.withResolvers<void>()
    const rest = Promise.withResolvers<void>()
    const begun: string[] = []
    let share = 1
    await using _ = queue.work(
      async (key) => {
        begun.push(key)
        await (begun.length === 1 ? first : rest).promise
      },
      { concurrency: 8, share: () => share },
    )
    await until(() => begun.length === 1)
    assert.deepEqual(await queue.depth(), { waiting: 4, active: 1, delayed: 0 })
    share = 3
    first.resolve()
    await until(() => begun.length === 4)
    assert.deepEqual(await queue.depth(), { waiting: 1, active: 3, delayed: 0 })
    rest.resolve()
    await until(() => begun.length === 5)
  })

  test('two worker processes, one killed in a job, run no key twice at a time and miss no enqueue', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'wadi-queue-'))
    const prefix = randomUUID()
    const events: { event: string; key: string; sequence: number }[] = []
    const startWorker = () => {
      const child = spawn(process.execPath, [workerProgram, server.url, prefix, directory], {
        env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      createInterface(child.stdout).on('line', (line) => events.push(JSON.parse(line)))
      return child
    }
    const workers = [startWorker(), startWorker()] as const
    try {
      await until(() => events.filter(({ event }) => event === 'ready').length === 2)
      await using queue = openRedisQueue({ url: server.url, prefix })
      const enqueued = new Map<string, number>()
      const deadline = Date.now() + 20_000
      let killed = false
      for (let i = 1; i <= 300 || (!killed && Date.now() < deadline); i++) {
        const key = `key-${i % 5}`
        await writeFile(join(directory, key), String(i))
        enqueued.set(key, i)
        await queue.enqueue(key)
        await pause(5)
        const [victim] = workers
        if (killed || i < 150 || (await runningKeys(directory, victim.pid)).length === 0) continue
        killed = true
        victim.kill('SIGKILL')
        await once(victim, 'exit')
        for (const link of await runningKeys(directory, victim.pid)) await rm(link)
      }
      assert.ok(killed, 'the first worker ran nothing in 20 s')
      await until(async () => {
        const { waiting, active, delayed } = await queue.depth()
        return waiting + active + delayed === 0
      })
      await until(() => {
        const last = new Map(
          events.filter(({ event }) => event === 'end').map(({ key, sequence }) => [key, sequence]),
        )
        return [...enqueued].every(([key, sequence]) => last.get(key) === sequence)
      })
      assert.deepEqual(
        events.filter(({ event }) => event === 'overlap'),
        [],
      )
      assert.ok(events.filter(({ event }) => event === 'start').length <= Math.max(...enqueued.values()) + 1)
    } finally {
      const exits = workers.filter((child) => child.exitCode === null && child.signalCode === null)
      await Promise.all(
        exits.map((child) => {
          const exit = once(child, 'exit')
          child.kill('SIGTERM')
          return exit
        }),
      )
      await rm(directory, { recursive: true, force: true })
    }
  })
})

/** The links of the keys that the process runs. */
async function runningKeys(directory: string, pid: number | undefined): Promise<string[]> {
  const links: string[] = []
  for (const name of await readdir(directory)) {
    if (!name.endsWith('.running')) continue
    const link = join(directory, name)
    const owner = await readlink(link).catch(() => undefined)
    if (owner === String(pid)) links.push(link)
  }
  return links
}

async function command(server: RedisServer, name: string, ...arguments_: string[]): Promise<unknown> {
  const client = new Redis(server.url)
  const answer = await client.call(name, ...arguments_)
  client.disconnect()
  return answer
}
