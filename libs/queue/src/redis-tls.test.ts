import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import tls from 'node:tls'
import { startRedisServer } from '@wadi/testing/redis-server.ts'
import { makeCertificate, makeSignedCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'
import { until } from '@wadi/testing/until.ts'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { openRedisQueue } from './redis-queue.ts'
import { openRedisMemory } from './redis-memory.ts'

const noRedis = spawnSync('redis-server', ['--version']).status !== 0 && 'needs redis-server'

test(
  'a Redis that speaks only TLS is used if its authority is trusted, and else nothing is sent',
  { skip: noRedis || noOpenssl },
  async (context) => {
    await using directory = await mkdtempDisposable(`${tmpdir()}/wadi-redis-tls-`)
    const certificate = makeCertificate(directory.path)
    await using server = await startRedisServer({ tls: certificate })
    assert.match(server.url, /^rediss:/)
    {
      const lines: string[] = []
      const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
      await using queue = openRedisQueue({ url: server.url, logger })
      await until(() => lines.some((line) => /self-signed certificate/.test(line)))
      assert.notEqual(await queue.check(), undefined)
    }
    // As NODE_EXTRA_CA_CERTS does for a process from its start.
    const known = tls.getCACertificates()
    context.after(() => tls.setDefaultCACertificates(known))
    tls.setDefaultCACertificates([...known, await readFile(certificate.certificate, 'utf8')])
    await using queue = openRedisQueue({ url: server.url })
    const hydrated: string[] = []
    queue.work(async (key) => void hydrated.push(key), { concurrency: 1 })
    await queue.enqueue('a')
    await until(() => hydrated.length === 1)
    await using memory = openRedisMemory({ url: server.url })
    await until(async () => {
      await memory.remember('a', Buffer.from('b'))
      return (await memory.recall('a'))?.toString() === 'b'
    })
  },
)

test(
  'a cluster that speaks only TLS is used by the names of its certificate',
  { skip: noRedis || noOpenssl },
  async (context) => {
    await using directory = await mkdtempDisposable(`${tmpdir()}/wadi-redis-tls-`)
    const certificate = makeSignedCertificate(directory.path, 'localhost')
    const known = tls.getCACertificates()
    context.after(() => tls.setDefaultCACertificates(known))
    tls.setDefaultCACertificates([...known, await readFile(certificate.authority, 'utf8')])
    await using server = await startRedisServer({ tls: certificate, cluster: true })
    const { port } = new URL(server.url)
    const setUp = new Redis(`rediss://localhost:${port}`)
    await setUp.config('SET', 'cluster-announce-hostname', 'localhost')
    await setUp.config('SET', 'cluster-preferred-endpoint-type', 'hostname')
    await setUp.cluster('ADDSLOTSRANGE', 0, 16_383)
    setUp.disconnect()
    await using queue = openRedisQueue({ url: `rediss-cluster://localhost:${port}` })
    const hydrated: string[] = []
    queue.work(async (key) => void hydrated.push(key), { concurrency: 1 })
    await queue.enqueue('a')
    await until(() => hydrated.length === 1)
  },
)
