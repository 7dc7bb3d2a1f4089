import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { ServiceImpl } from '@connectrpc/connect'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Value } from '@wadi/params/values/value.ts'
import {
  CommandService,
  type RunYttRequest,
  type Script,
} from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import { PluginUnavailableError } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { createHealthRegistry } from '@wadi/rpc/health-registry.ts'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { startServer } from '@wadi/rpc/start-server.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { openCommands } from './open-commands.ts'
import { writeTestTree } from './tree-fixture.ts'

/** A command server that notes what it gets, and a client of it. */
async function startCommands(changes: Partial<ServiceImpl<typeof CommandService>> = {}) {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-open-commands-'))).path
  const key = await loadServiceKey(path.join(directory, 'service.key'))
  const scripts: { script: Script; archive: Buffer }[] = []
  const templates: RunYttRequest[] = []
  const described = { count: 0, runsScripts: true, scriptsRefusedBecause: '', yttVersion: 'ytt version 1' }
  const service: ServiceImpl<typeof CommandService> = {
    describeCommands: () => {
      described.count += 1
      const { runsScripts, scriptsRefusedBecause, yttVersion } = described
      return { runsScripts, scriptsRefusedBecause, yttVersion }
    },
    runScript: async (requests) => {
      const chunks: Uint8Array[] = []
      for await (const { part } of requests) {
        if (part.case === 'script') scripts.push({ script: part.value, archive: Buffer.alloc(0) })
        if (part.case === 'chunk') chunks.push(part.value)
      }
      const last = scripts.at(-1)
      if (last !== undefined) last.archive = Buffer.concat(chunks)
      return { output: 'written\n' }
    },
    runYtt: (request) => {
      templates.push(request)
      return { output: 'a: b\n' }
    },
    ...changes,
  }
  const server = owned.use(
    await startServer({
      name: 'cmp-server',
      listen: '127.0.0.1:0',
      routes: (router) => router.service(CommandService, service),
      services: [CommandService],
      health: createHealthRegistry({ services: [CommandService.typeName] }),
      metrics: createMetrics('cmp-server'),
      logger: createLogger({ service: 'cmp-server', level: 'error', format: 'json' }),
      drainTimeoutMs: 100,
      authenticate: 'service',
      identity: createServiceIdentity({ key, service: 'cmp-server' }),
    }),
  )
  const identity = createServiceIdentity({ key, service: 'repo-server' })
  const commands = owned.use(await openCommands({ endpoints: [server.address], identity }))
  const kept = owned.move()
  return { server, commands, scripts, templates, described, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

test('a script is sent with the files of the whole tree', async () => {
  await using mesh = await startCommands()
  await using tree = await writeTestTree({
    'packages/web/zarf.yaml': 'kind: X\n',
    'run.sh': { program: 'echo' },
  })
  const output = await mesh.commands.runScript({
    tree: tree.open(),
    directory: 'packages/web',
    script: 'cat zarf.yaml',
    variables: [{ name: 'A', value: 'b' }],
    timeLimitMs: 1500,
    signal: undefined,
  })
  assert.equal(output, 'written\n')
  const [sent] = mesh.scripts
  assert.ok(sent !== undefined)
  const { text, folder: directory, environment, timeLimit, archiveChecksum, archiveSize } = sent.script
  assert.deepEqual([text, directory, timeLimit], ['cat zarf.yaml', 'packages/web', 1500n])
  assert.deepEqual(
    environment.map(({ name, value }) => [name, value]),
    [['A', 'b']],
  )
  assert.equal(archiveChecksum, createHash('sha256').update(sent.archive).digest('hex'))
  assert.equal(archiveSize, BigInt(sent.archive.length))
  const names = gunzipSync(sent.archive).toString('latin1')
  assert.ok(names.includes('packages/web/zarf.yaml') && names.includes('run.sh'))
})

test('ytt gets each data value as JSON with all digits', async () => {
  await using mesh = await startCommands()
  const values = new Map<string, Value>([
    ['params', new Map<string, Value>([['port', 12345678901234567890n]])],
    ['__proto__', 'a'],
  ])
  assert.equal(await mesh.commands.runYtt('a: b', values, undefined), 'a: b\n')
  assert.deepEqual(Object.entries(mesh.templates[0]?.values ?? {}), [
    ['params', '{"port":12345678901234567890}'],
    ['__proto__', '"a"'],
  ])
})

test('the identity changes with what can be run, is requested once in a while and outlives the server', async () => {
  await using mesh = await startCommands()
  const first = await mesh.commands.identity()
  assert.equal(await mesh.commands.identity(), first)
  assert.equal(mesh.described.count, 1)
  await using other = await startCommands()
  assert.equal(await other.commands.identity(), first)
  await using newer = await startCommands({
    describeCommands: () => ({ runsScripts: true, yttVersion: 'ytt version 2' }),
  })
  assert.notEqual(await newer.commands.identity(), first)
  await using denying = await startCommands({
    describeCommands: () => ({
      runsScripts: false,
      scriptsRefusedBecause: 'not here',
      yttVersion: 'ytt version 1',
    }),
  })
  assert.notEqual(await denying.commands.identity(), first)
  assert.equal(await denying.commands.scriptsRefusedBecause(undefined), 'not here')
  assert.equal(await mesh.commands.scriptsRefusedBecause(undefined), '')
  await mesh.server[Symbol.asyncDispose]()
  assert.equal(await mesh.commands.identity(), first)
})

test('what the server says of a script is kept, and a server that is unreachable is named', async () => {
  await using mesh = await startCommands({
    runScript: () => {
      throw new InvalidInputError('the script failed')
    },
    runYtt: () => {
      throw new FailedPreconditionError('there is no ytt')
    },
  })
  await using tree = await writeTestTree({ a: 'b' })
  const call = {
    tree: tree.open(),
    directory: '',
    script: 'false',
    variables: [],
    timeLimitMs: 0,
    signal: undefined,
  }
  await assert.rejects(mesh.commands.runScript(call), new InvalidInputError('the script failed'))
  await assert.rejects(
    mesh.commands.runYtt('', new Map(), undefined),
    new FailedPreconditionError('there is no ytt'),
  )
  await mesh.server[Symbol.asyncDispose]()
  await assert.rejects(mesh.commands.runScript(call), (error: Error) => {
    assert.ok(error instanceof PluginUnavailableError)
    assert.ok(error.message.startsWith(`the command server does not answer at ${mesh.server.address}: `))
    return true
  })
})

test('a server that goes down while it runs a script is not the error of the script', async () => {
  const running = Promise.withResolvers<void>()
  await using mesh = await startCommands({
    runScript: async (requests) => {
      for await (const request of requests) assert.ok(request)
      running.resolve()
      return await new Promise(() => undefined)
    },
  })
  await using tree = await writeTestTree({ a: 'b' })
  const call = {
    tree: tree.open(),
    directory: '',
    script: 'sleep',
    variables: [],
    timeLimitMs: 0,
    signal: undefined,
  }
  const answer = assert.rejects(mesh.commands.runScript(call), PluginUnavailableError)
  await running.promise
  await mesh.server[Symbol.asyncDispose]()
  await answer
})
