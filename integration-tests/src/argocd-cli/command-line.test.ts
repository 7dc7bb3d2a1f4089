import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { KnownFields, wireMessage } from '../plugin-protocol/protobuf-wire-fixture.ts'
import {
  applicationSet,
  readApplication,
  readEvent,
  readList,
  readSet,
} from './application-set-messages-fixture.ts'
import { type Connect, nativeConnection, protocolOf, webConnection } from './command-line-fixture.ts'
import { startReverseProxy } from './reverse-proxy-fixture.ts'
import { login, type Served, startServed } from './served-fixture.ts'

const sets = '/applicationset.ApplicationSetService/'
const noOpenssl = spawnSync('openssl', ['version']).status !== 0 && 'openssl is not installed'

async function version(connect: Connect, token: string): Promise<string> {
  using connection = connect(token)
  return new KnownFields(await connection.call('/version.VersionService/Version'), [1, 6, 8]).text(1)
}

async function userInfo(connect: Connect, token: string) {
  using connection = connect(token)
  const fields = new KnownFields(await connection.call('/session.SessionService/GetUserInfo'), [1, 2, 3, 4])
  return { loggedIn: fields.number(1) === 1n, username: fields.text(2), iss: fields.text(3) }
}

const expired = [
  { alg: 'HS256', typ: 'JWT' },
  { iss: 'argocd', sub: 'admin:login', exp: 1, iat: 1, jti: 'x' },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('c2lnbmF0dXJl')
  .join('.')

/** Tests what every way of connecting has to give. */
function testCommands(way: string, tls: 'tls' | 'plaintext', served: () => Served, connect: Connect): void {
  let token = ''
  before(async () => {
    token = await login(connect, served().password)
  })
  const call = async (method: string, request: Buffer): Promise<Buffer> => {
    using connection = connect(token)
    return await connection.call(`${sets}${method}`, request)
  }
  const named = (name: string) => wireMessage([1, name], [2, ''])

  test('it is found out whether the server speaks TLS', async () => {
    assert.equal(await protocolOf(served().address), tls)
  })

  test('the probe for the version succeeds with no token and with bad ones', async () => {
    for (const given of ['', 'bad', expired]) assert.match(await version(connect, given), /^v?\d+\.\d+\.\d+/)
  })

  test('a login gives a token in the form of a JSON web token, and it says who calls', async () => {
    const [head = '', claims = '', signature = ''] = token.split('.')
    assert.ok(head !== '' && signature !== '' && !signature.includes('='))
    const { iss, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    assert.deepEqual([iss, sub], ['argocd', 'admin:login'])
    assert.deepEqual(await userInfo(connect, token), { loggedIn: true, username: 'admin', iss: 'argocd' })
    assert.deepEqual(await userInfo(connect, ''), { loggedIn: false, username: '', iss: '' })
  })

  test('a wrong password and a bad token are refused with a reason', async () => {
    await assert.rejects(login(connect, 'wrong'), {
      code: status.UNAUTHENTICATED,
      message: 'Invalid username or password',
    })
    for (const given of ['', 'bad', expired]) {
      using connection = connect(given)
      await assert.rejects(connection.call(`${sets}List`), (error: Error & { code?: number }) => {
        assert.match(error.message, /session/)
        return error.code === status.UNAUTHENTICATED
      })
    }
  })

  test('a set that does not exist is not found with the expected message', async () => {
    await assert.rejects(call('Get', named('nope')), {
      code: status.NOT_FOUND,
      message: 'applicationset.argoproj.io "nope" not found',
    })
    await assert.rejects(call('Delete', named('nope')), { code: status.NOT_FOUND })
  })

  test('a set generates its Applications without being stored', async () => {
    const written = applicationSet({ name: `${way}-preview`, elements: ['web', 'api'] })
    const answer = new KnownFields(await call('Generate', wireMessage([1, written])), [1])
    assert.deepEqual(
      answer.all(1).map(readApplication),
      ['web', 'api'].map((name) => ({ name, project: 'default', namespace: name, dryPath: `apps/${name}` })),
    )
    await assert.rejects(call('Get', named(`${way}-preview`)), { code: status.NOT_FOUND })
  })

  test('what a newer client says and nobody knows is refused, never dropped', async () => {
    const written = applicationSet({ name: 'future', elements: ['web'], future: true })
    for (const [method, request] of [
      ['Generate', wireMessage([1, written])],
      ['Create', wireMessage([1, written], [2, false], [3, false])],
    ] as const) {
      await assert.rejects(call(method, request), {
        code: status.INVALID_ARGUMENT,
        message: 'unsupported field 99 in ApplicationSetSpec',
      })
    }
  })

  test('services and methods that do not exist are unimplemented', async () => {
    using connection = connect(token)
    for (const method of ['/gpgkey.GPGKeyService/List', `${sets}ResourceTree`]) {
      await assert.rejects(connection.call(method), { code: status.UNIMPLEMENTED })
    }
  })

  test('a set is created, changed, listed, watched and deleted', async () => {
    const name = `${way}-set`
    const labels = { way }
    const written = applicationSet({ name, elements: [`${way}-web`], labels })
    const creation = (set: Buffer, upsert: boolean, dryRun: boolean) =>
      call('Create', wireMessage([1, set], [2, upsert], [3, dryRun])).then(readSet)

    assert.deepEqual((await creation(written, false, true)).resources, [`${way}-web`])
    await assert.rejects(call('Get', named(name)), { code: status.NOT_FOUND })

    const created = await creation(written, false, false)
    assert.deepEqual(
      [created.name, created.namespace, created.project, created.elements, created.labels, created.isDated],
      [name, 'argocd', 'default', [`{"name":"${way}-web"}`], [['way', way]], true],
    )
    const again = await creation(written, false, false)
    assert.deepEqual([again.uid, again.generation], [created.uid, created.generation])

    const changed = applicationSet({ name, elements: [`${way}-web`, `${way}-api`], labels })
    await assert.rejects(creation(changed, false, false), (error: Error & { code?: number }) => {
      assert.match(
        error.message,
        /^existing ApplicationSet spec is different, use upsert flag to force update/,
      )
      return error.code === status.INVALID_ARGUMENT
    })
    const updated = await creation(changed, true, false)
    assert.equal(updated.uid, created.uid)
    assert.equal(updated.generation, created.generation + 1n)
    assert.equal((await call('Get', named(name)).then(readSet)).elements.length, 2)

    const { resourceVersion, sets: listed } = readList(
      await call('List', wireMessage([2, `way=${way}`], [3, ''])),
    )
    assert.deepEqual(
      listed.map((set) => [set.name, set.uid]),
      [[name, created.uid]],
    )
    assert.match(resourceVersion, /^[1-9]\d*$/)

    using connection = connect(token)
    const query = wireMessage([1, name], [3, ''], [4, 'argocd'], [5, resourceVersion])
    const types = new Set<string>()
    for await (const event of connection.stream(`${sets}Watch`, query)) {
      const { type, set } = readEvent(event)
      assert.equal(set.uid, created.uid)
      if (types.size === 0) {
        assert.equal(type, 'ADDED')
        const answer = new KnownFields(await call('Delete', named(name)), [1, 2])
        assert.equal(answer.text(1), 'default')
        assert.equal(readSet(answer.all(2)[0] ?? Buffer.alloc(0)).uid, created.uid)
      }
      types.add(type)
      if (type === 'DELETED') break
    }
    assert.ok(types.has('DELETED'))
    await assert.rejects(call('Get', named(name)), { code: status.NOT_FOUND })
  })
}

describe('without TLS', () => {
  let served: Served
  let proxy: Awaited<ReturnType<typeof startReverseProxy>>
  before(async () => {
    served = await startServed(false)
    proxy = await startReverseProxy(served.address)
  })
  after(async () => {
    await proxy[Symbol.asyncDispose]()
    await served[Symbol.asyncDispose]()
  })
  describe('natively', () =>
    testCommands(
      'native',
      'plaintext',
      () => served,
      (token) => nativeConnection(served.address, token),
    ))
  describe('over gRPC-web', () =>
    testCommands(
      'web',
      'plaintext',
      () => served,
      (token) => webConnection(served.address, token),
    ))
  describe('over gRPC-web below a path of a reverse proxy', () =>
    testCommands(
      'path',
      'plaintext',
      () => served,
      (token) => webConnection(proxy.address, token, '/argo'),
    ))
})

describe('with TLS', { skip: noOpenssl }, () => {
  let served: Served
  before(async () => {
    served = await startServed(true)
  })
  after(async () => {
    await served[Symbol.asyncDispose]()
  })
  describe('natively', () =>
    testCommands(
      'native',
      'tls',
      () => served,
      (token) => nativeConnection(served.address, token),
    ))
  describe('over gRPC-web', () =>
    testCommands(
      'web',
      'tls',
      () => served,
      (token) => webConnection(served.address, token),
    ))
})
