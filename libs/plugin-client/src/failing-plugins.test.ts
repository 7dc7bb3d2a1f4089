import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import http2 from 'node:http2'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import type { PluginCall } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { type PluginsOptions, openPlugins } from './open-plugins.ts'
import { type Answer, type PluginBehaviour, manifests, startPluginServer } from './plugin-server-fixture.ts'
import { writeTestTree } from './tree-fixture.ts'

const object = '{"apiVersion":"v1","kind":"ConfigMap"}'

/** A plugin `tool` at a socket and a call with a few mebibytes of files. */
async function startTool(behaviour: PluginBehaviour, options: PluginsOptions = {}) {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-plugins-'))).path
  const files = owned.use(await writeTestTree({ 'app/a.yaml': 'a', big: randomBytes(4 * 1024 ** 2) }))
  const endpoint = `unix:${directory}/tool.sock`
  const server = owned.use(await startPluginServer(endpoint, behaviour))
  const plugins = owned.use(await openPlugins({ socketDirectory: directory, ...options }))
  const plugin = await plugins.get('tool')
  const call = (more: Partial<PluginCall> = {}): PluginCall => {
    return { tree: files.open(), inputs: [''], path: 'app', variables: [], ...more }
  }
  const kept = owned.move()
  return {
    directory,
    endpoint,
    server,
    plugins,
    plugin,
    call,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

test('every status becomes the error that says whose error it is', async () => {
  let answer: Answer = { code: status.UNKNOWN, details: '' }
  await using tool = await startTool({ answer: () => answer })
  const generating = async (code: status, details: string) => {
    answer = { code, details }
    try {
      await tool.plugin.generate(tool.call())
    } catch (error) {
      assert.ok(error instanceof Error)
      return `${error.name}: ${error.message}`
    }
    return 'no error'
  }
  const text = 'error generating manifests: `sh -c x` failed exit status 1: boom'
  for (const code of [status.UNKNOWN, status.INVALID_ARGUMENT, status.INTERNAL, status.NOT_FOUND]) {
    assert.equal(await generating(code, text), `InvalidInputError: plugin tool: ${text}`)
  }
  assert.match(await generating(status.DEADLINE_EXCEEDED, 'late'), /^TimeLimitError: plugin tool: .*late/)
  const unavailable = `UnavailableError: plugin tool does not answer at ${tool.endpoint}: gone; check that its cmp-server runs`
  assert.ok((await generating(status.UNAVAILABLE, 'gone')).startsWith(unavailable))
  assert.ok((await generating(status.CANCELLED, 'gone')).startsWith(unavailable))
  assert.equal(
    await generating(status.RESOURCE_EXHAUSTED, 'too many runs'),
    'ResourceExhaustedError: plugin tool: too many runs',
  )
  assert.match(
    await generating(status.UNIMPLEMENTED, 'unknown service'),
    /^FailedPreconditionError: .*does not speak the plugin protocol \(unknown service\)/,
  )
  assert.match(
    await generating(status.UNAUTHENTICATED, 'no token'),
    /^FailedPreconditionError: plugin tool at unix:.*: no token$/,
  )
})

test("the directories that a server unpacks to are taken out of its plugin's messages", async () => {
  const directory = '/tmp/_cmp_server/9f1c1d4e-0c3b-4a57-9a64-0a3c0c1d2e3f'
  const details = `open ${directory}/app/x.yaml: no such file; in ${directory}: "${directory}/b" /tmp/_cmp_server/other`
  await using tool = await startTool({ answer: () => ({ code: status.UNKNOWN, details }) })
  await assert.rejects(tool.plugin.generate(tool.call()), {
    message: 'plugin tool: open app/x.yaml: no such file; in .: "b" /tmp/_cmp_server/other',
  })
})

test('a status that comes before the files were sent is read', async () => {
  const details = 'disk full'
  await using tool = await startTool({ early: () => ({ code: status.RESOURCE_EXHAUSTED, details }) })
  for (const _ of Array.from({ length: 20 })) {
    await assert.rejects(tool.plugin.generate(tool.call()), {
      name: 'ResourceExhaustedError',
      message: 'plugin tool: disk full',
    })
  }
})

test('a status after headers, with the stream closed while files are on the way, is read', async () => {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-plugins-'))
  await using files = await writeTestTree({ big: randomBytes(8 * 1024 ** 2) })
  const server = http2.createServer()
  server.on('stream', (stream: http2.ServerHttp2Stream, headers) => {
    const isCheck = headers[':path']?.endsWith('CheckPluginConfiguration') === true
    stream.on('error', () => undefined)
    stream.once('data', () => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
      stream.on('wantTrailers', () => {
        stream.sendTrailers(
          isCheck ? { 'grpc-status': '0' } : { 'grpc-status': '2', 'grpc-message': 'refused' },
        )
        setImmediate(() => stream.close(http2.constants.NGHTTP2_NO_ERROR))
      })
      stream.end(isCheck ? Buffer.alloc(5) : undefined)
    })
  })
  server.listen(path.join(directory.path, 'tool.sock'))
  await once(server, 'listening')
  try {
    await using plugins = await openPlugins({ socketDirectory: directory.path })
    const plugin = await plugins.get('tool')
    for (const _ of Array.from({ length: 30 })) {
      const call = { tree: files.open(), inputs: [''], path: '', variables: [] }
      await assert.rejects(plugin.generate(call), {
        name: 'InvalidInputError',
        message: 'plugin tool: refused',
      })
    }
  } finally {
    server.close()
  }
})

test('a server that dies while files are sent is unavailable, and the next one at its place works', async () => {
  await using tool = await startTool({ early: (server) => server.die() })
  await assert.rejects(tool.plugin.generate(tool.call()), {
    name: 'UnavailableError',
    message: new RegExp(`^plugin tool does not answer at ${tool.endpoint}: `),
  })
  await using next = await startPluginServer(tool.endpoint, { answer: () => manifests(object) })
  const plugin = await tool.plugins.get('tool')
  assert.deepEqual((await plugin.generate(tool.call())).manifests, [object])
  assert.equal(next.runs.length, 1)
})

test('a server that dies before it answers is unavailable', async () => {
  await using tool = await startTool({
    answer: () => {
      tool.server.die()
      return manifests(object)
    },
  })
  await assert.rejects(tool.plugin.generate(tool.call()), { name: 'UnavailableError' })
})

test('a socket that nobody listens to is unavailable, in the list and in the report by its name', async () => {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-plugins-'))
  const listener = net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  listener.listen(path.join(directory.path, 'tool.sock'))
  await once(listener, 'listening')
  await using plugins = await openPlugins({ socketDirectory: directory.path })
  try {
    const unavailable = { name: 'UnavailableError', message: /^plugin tool does not answer at unix:/ }
    await assert.rejects(plugins.list(), unavailable)
    await assert.rejects(plugins.get('tool'), unavailable)
    assert.equal(await plugins.identity(), `[["unix:${path.join(directory.path, 'tool.sock')}",""]]`)
    const [report] = await plugins.report()
    assert.equal(report?.name, 'tool')
    assert.match(report.error, /^plugin tool does not answer at unix:/)
  } finally {
    listener.close()
  }
})

test('a plugin that never answers is given up at the deadline and when its caller goes', async () => {
  const never = () => new Promise<Answer>(() => undefined)
  await using tool = await startTool({ answer: never }, { timeoutMs: 300 })
  await assert.rejects(tool.plugin.generate(tool.call()), {
    name: 'TimeLimitError',
    message: /^plugin tool: did not finish in time/,
  })
  await assert.rejects(tool.plugin.generate(tool.call({ signal: AbortSignal.timeout(50) })), {
    name: 'DeadlineExceededError',
  })
  const controller = new AbortController()
  const generating = tool.plugin.generate(tool.call({ signal: controller.signal }))
  controller.abort()
  await assert.rejects(generating, { name: 'CanceledError' })
})

test('disposal ends a run under way', async () => {
  const begun = Promise.withResolvers<void>()
  await using tool = await startTool({
    answer: () => {
      begun.resolve()
      return new Promise<Answer>(() => undefined)
    },
  })
  const generating = tool.plugin.generate(tool.call())
  await begun.promise
  await tool.plugins[Symbol.asyncDispose]()
  await assert.rejects(generating, { name: 'UnavailableError' })
})

test('an answer that is not a message or larger than allowed is refused', async () => {
  let answer: Answer = Buffer.from([0xff, 0xff, 0xff])
  await using tool = await startTool({ answer: () => answer })
  await assert.rejects(tool.plugin.generate(tool.call()), {
    name: 'FailedPreconditionError',
    message: /^plugin tool at unix:.* gave an answer that cannot be read: /,
  })
  answer = Buffer.alloc(101 * 1024 ** 2)
  await assert.rejects(tool.plugin.generate(tool.call()), {
    name: 'ResourceExhaustedError',
    message: /^plugin tool: .*104857600/,
  })
  answer = manifests(object)
  assert.deepEqual((await tool.plugin.generate(tool.call())).manifests, [object])
})

test('failures are not kept', async () => {
  let answer: Answer = { code: status.UNKNOWN, details: 'find command failed' }
  await using tool = await startTool({ configuration: { isDiscoveryConfigured: true }, answer: () => answer })
  await assert.rejects(tool.plugin.match(tool.call()), { message: 'plugin tool: find command failed' })
  answer = Buffer.from([8, 1])
  assert.equal(await tool.plugin.match(tool.call()), true)
})
