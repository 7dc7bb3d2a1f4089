import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import type { DescMethod, DescMethodStreaming, DescMethodUnary, DescService } from '@bufbuild/protobuf'
import { Code, type Transport } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { ServerReflection } from '@wadi/protocol/gen/grpc/reflection/v1/reflection_pb.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { ResourceService } from '@wadi/protocol/gen/wadi/api_gateway/v1/resource_service_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { HydratorService } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { environmentIn, startUp } from '../testing/running-up-fixture.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** Calls every RPC of a service and returns the name of each with the code of its error, or `ok`. */
async function codesOf(service: DescService, transport: Transport, headers: Record<string, string>) {
  const codes: [string, string][] = []
  for (const method of service.methods) {
    const code = await call(method, transport, headers).then(
      () => 'ok',
      (error: { code: Code }) => Code[error.code] ?? 'none',
    )
    codes.push([method.name, code])
  }
  return codes
}

async function call(method: DescMethod, transport: Transport, headers: Record<string, string>) {
  const options = [AbortSignal.timeout(hangLimitMs), undefined, headers] as const
  if (isUnary(method)) {
    await transport.unary(method, ...options, create(method.input))
  } else if (isStreaming(method)) {
    const { message } = await transport.stream(method, ...options, one(create(method.input)))
    for await (const _ of message) break
  }
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary'
}

function isStreaming(method: DescMethod): method is DescMethodStreaming {
  return method.methodKind !== 'unary'
}

async function* one<T>(message: T) {
  yield message
}

async function mode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

describe('starts on the same data, one after the other', () => {
  const owned = new AsyncDisposableStack()
  let directory: string
  let environment: Record<string, string>
  let up: Awaited<ReturnType<typeof startUp>>
  const tokens: string[] = []
  before(async () => {
    directory = owned.use(await temporaryDirectory()).path
    environment = environmentIn(directory)
    up = owned.use(await startUp(directory))
  })
  after(() => owned.disposeAsync())

  /** Starts it again; its token must be a new one, which opens this start alone. */
  async function startAgain() {
    tokens.push(up.context.token)
    up = owned.use(await startUp(directory))
    const { token, server } = up.context
    assert.match(token, /^wadi_[\w-]{43}$/)
    const list = async (used: string) => {
      const { code } = await runWadi(['app', 'list'], {
        environment: { ...environment, WADI_AUTH_TOKEN: used },
      })
      return code
    }
    assert.equal(await list(token), 0)
    for (const old of tokens) assert.equal(await list(old), 20)
    assert.ok((await readFile(up.contextFile, 'utf8')).includes(`current-context: ${server}\n`))
  }

  test('up serves and writes the context for it', async () => {
    const { server, name, plaintext, token } = up.context
    assert.deepEqual([name, plaintext], [server, true])
    assert.match(server, /^127\.0\.0\.1:\d+$/)
    assert.match(token, /^wadi_[\w-]{43}$/)
    assert.deepEqual(up.lines, [
      `Wadi is up at http://${server}, data in ${up.dataDirectory}.`,
      `Context ${server} in ${up.contextFile} is the current one. In another terminal, for example:`,
      '  wadi repo add URL',
      '  wadi apply -f FILE',
      '  wadi app list',
      `People sign in at http://${server}, the web console, or with "wadi login"; the first password of admin: wadi admin initial-password`,
      'Ctrl-C stops it.',
    ])
    assert.ok((await readFile(up.contextFile, 'utf8')).includes(`current-context: ${server}\n`))
    assert.deepEqual([await mode(up.contextFile), await mode(join(directory, 'config'))], ['600', '700'])

    const list = await runWadi(['app', 'list', '-o', 'json'], { environment })
    assert.deepEqual([list.code, list.stdout], [0, '[]\n'])
    const elsewhere = await runWadi(['app', 'list', '-o', 'json'], {
      environment: { ...environment, WADI_CONFIG_DIR: join(directory, 'other') },
    })
    assert.notEqual(elsewhere.code, 0)
    const named = await runWadi(['app', 'list', '-o', 'json', '--plaintext'], {
      environment: {
        ...environment,
        WADI_CONFIG_DIR: join(directory, 'other'),
        WADI_SERVER: server,
        WADI_AUTH_TOKEN: token,
      },
    })
    assert.deepEqual([named.code, named.stdout], [0, '[]\n'], named.stderr)
    const wrong = await runWadi(['app', 'list'], {
      environment: { ...environment, WADI_AUTH_TOKEN: 'wrong' },
    })
    assert.equal(wrong.code, 20)
    assert.match(wrong.stderr, /the token is not valid here/)
  })

  test('nothing of the public API is reached without the token', async () => {
    const baseUrl = `http://${up.context.server}`
    const transport = createConnectTransport({ baseUrl, httpVersion: '1.1' })
    for (const service of [ApplicationService, RepositoryService, ResourceService, VersionService]) {
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { token: 'wrong' }] as Record<
        string,
        string
      >[]) {
        const codes = await codesOf(service, transport, headers)
        assert.deepEqual(
          codes,
          service.methods.map(({ name }) => [name, 'Unauthenticated']),
          service.typeName,
        )
      }
    }
    const token = { authorization: `Bearer ${up.context.token}` }
    assert.deepEqual(await codesOf(VersionService, transport, token), [['GetVersion', 'ok']])
    const secondVersion = createConnectTransport({ baseUrl, httpVersion: '2', idleConnectionTimeoutMs: 1 })
    // What there is to call is no secret.
    assert.deepEqual(await codesOf(ServerReflection, secondVersion, {}), [['ServerReflectionInfo', 'ok']])
  })

  test('the sockets of the services are for this user alone and refuse a caller that is not a service', async () => {
    const entries = await readdir(up.temporaryDirectory)
    const run = join(up.temporaryDirectory, entries.find((name) => name.startsWith('wadi-run-')) ?? '')
    assert.equal(await mode(run), '700')
    const services = {
      'repo-server': RepoServerService,
      'commit-server': CommitServerService,
      hydrator: HydratorService,
    }
    for (const [name, service] of Object.entries(services)) {
      const socketPath = join(run, `${name}.sock`)
      assert.equal(await mode(socketPath), '600')
      const transport = createConnectTransport({
        baseUrl: 'http://localhost',
        httpVersion: '1.1',
        nodeOptions: { socketPath },
      })
      // The administrator's token opens the gateway, not the services behind it.
      for (const headers of [{}, { authorization: `Bearer ${up.context.token}` }] as Record<
        string,
        string
      >[]) {
        const codes = await codesOf(service, transport, headers)
        assert.deepEqual(
          codes,
          service.methods.map((method) => [method.name, 'Unauthenticated']),
          name,
        )
      }
    }
  })

  test('the data directory, what is in it and the secrets are for this user alone', async () => {
    const secret = /\.db(?:-\w+)?$|\.key$|\.token$/
    const found = []
    assert.equal(await mode(up.dataDirectory), '700')
    for (const entry of await readdir(up.dataDirectory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      // What contained programs see of the machine has links to its open files.
      if (path.includes('/containment/roots/')) continue
      if (!entry.isFile() || !secret.test(entry.name) || entry.name.startsWith('lock.db')) continue
      assert.equal(await mode(path), '600', path)
      found.push(entry.name)
    }
    for (const name of ['state.db', 'service.key', 'credentials.db'])
      assert.ok(found.includes(name), `${name} in ${found.join(' ')}`)
    for (const entry of await readdir(up.dataDirectory, { withFileTypes: true }))
      if (entry.isDirectory()) assert.equal(await mode(join(up.dataDirectory, entry.name)), '700', entry.name)
  })

  test('SIGTERM ends it with code 0, and it leaves nothing behind', async () => {
    assert.equal(await up.stop('SIGTERM'), 0)
    assert.equal(up.log(), '')
    assert.deepEqual(await readdir(up.temporaryDirectory), [])
  })

  test('the next start has a fresh token, which opens that start alone', startAgain)

  test('a second up on the same data is refused with code 20', async () => {
    const second = await runWadi(['up', '--listen', '127.0.0.1:0'], { environment })
    assert.equal(second.code, 20)
    assert.match(
      second.stderr,
      /another process uses the data directory .*; stop it or choose another directory/,
    )
  })

  test('after a crash the data is free again, and SIGINT ends it with code 0', async () => {
    assert.equal(await up.stop('SIGKILL'), 'SIGKILL')
    await startAgain()
    assert.equal(await up.stop('SIGINT'), 0)
    assert.equal(new Set([...tokens, up.context.token]).size, 3)
  })
})
