import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { after, test } from 'node:test'
import {
  DeadlineExceededError,
  FailedPreconditionError,
  PermissionDeniedError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { startGeneratorFixture } from '../generator-fixture.ts'
import { pluginToken, startPlugin, storePluginConfigMap } from './plugin-fixture.ts'

const fixture = await startGeneratorFixture()
after(() => fixture[Symbol.asyncDispose]())
const peer = await startPlugin(fixture.store)
after(() => peer[Symbol.asyncDispose]())

type Fields = Record<string, unknown>

const plugin = (fields: Fields = {}): Fields => ({ plugin: { configMapRef: { name: 'plugin' }, ...fields } })
const input = { parameters: { key: 'v', map: { n: 1000000 }, list: ['a'] } }
const goTemplate = { goTemplate: true }

function answer(...parameters: unknown[]): void {
  peer.answer = { body: { output: { parameters } } }
  peer.requests.length = 0
}

test('a plugin is asked in the form of Argo CD', async () => {
  answer()
  assert.deepEqual(await fixture.parameters(plugin({ input })), [])
  const [request, ...others] = peer.requests
  assert.deepEqual(
    [request?.method, request?.path, request?.headers.authorization, others],
    ['POST', '/api/v1/getparams.execute', `Bearer ${pluginToken}`, []],
  )
  assert.match(request?.headers['content-type'] ?? '', /^application\/json/)
  assert.deepEqual(request?.body, { applicationSetName: 'set', input })
})

test('Go templates get the maps as they are, the input and values', async () => {
  answer({ name: 'a', deep: { n: 1 } }, { name: 'b', generator: 'mine' })
  const values = { at: '{{ .name }}-{{ .generator.input.parameters.key }}' }
  assert.deepEqual(await fixture.parameters(plugin({ input, values }), goTemplate), [
    {
      origin: 'spec.generators[0].plugin: output.parameters[0] of the plugin plugin',
      values: { name: 'a', deep: { n: 1 }, generator: { input }, values: { at: 'a-v' } },
    },
    {
      origin: 'spec.generators[0].plugin: output.parameters[1] of the plugin plugin',
      values: { name: 'b', generator: { input }, values: { at: 'b-v' } },
    },
  ])
})

test('the default engine gets everything flat', async () => {
  answer({ name: 'a', deep: { n: 1000000, list: ['x'] } })
  const [set] = await fixture.parameters(plugin({ input, values: { at: '{{deep.n}}' } }))
  assert.deepEqual(set?.values, {
    name: 'a',
    'deep.n': '1e+06',
    'deep.list.0': 'x',
    'generator.input.parameters.key': 'v',
    'generator.input.parameters.map.n': '1e+06',
    'generator.input.parameters.list.0': 'a',
    'values.at': '1e+06',
  })
})

test('in a matrix the input is rendered, and equal questions are asked once', async () => {
  answer({ found: 'x' })
  const elements = [
    { env: 'dev', n: '1' },
    { env: 'dev', n: '2' },
    { env: 'prod', n: '3' },
  ]
  const asked = plugin({ input: { parameters: { '{{env}}': ['{{env}}'] } } })
  const sets = await fixture.parameters({ matrix: { generators: [{ list: { elements } }, asked] } })
  assert.deepEqual(
    sets.map(({ values }) => [values['n'], values['found']]),
    [
      ['1', 'x'],
      ['2', 'x'],
      ['3', 'x'],
    ],
  )
  assert.deepEqual(
    peer.requests.map(({ body }) => body),
    ['dev', 'prod'].map((env) => ({
      applicationSetName: 'set',
      input: { parameters: { [env]: [env] } },
    })),
  )
})

test('a changed answer changes what is generated, and so does a changed ConfigMap', async () => {
  const spec = {
    generators: [plugin()],
    template: { metadata: { name: '{{name}}' }, spec: { project: 'p', destination: { name: 'in-cluster' } } },
  }
  const names = async () => (await fixture.generate(spec)).map(({ metadata }) => metadata.name)
  answer({ name: 'a' })
  assert.deepEqual([await names(), await names()], [['a'], ['a']])
  assert.equal(peer.requests.length, 2)
  answer({ name: 'b' })
  assert.deepEqual(await names(), ['b'])
  await storePluginConfigMap(fixture.store, 'plugin', { baseUrl: peer.baseUrl, token: '$other:a:b' })
  answer({ name: 'c' })
  assert.deepEqual(await names(), ['c'])
  assert.equal(peer.requests[0]?.headers.authorization, 'Bearer other-token')
  await storePluginConfigMap(fixture.store, 'plugin', { baseUrl: peer.baseUrl, token: '$plugin.token' })
})

test('only plugins that the operator allows are asked, whether there are others or not', async () => {
  answer()
  const refused = async (name: string) => {
    const error: unknown = await fixture
      .parameters(plugin({ configMapRef: { name } }))
      .catch((cause) => cause)
    assert.ok(error instanceof PermissionDeniedError)
    return error.message.replaceAll(name, 'NAME')
  }
  await storePluginConfigMap(fixture.store, 'stored', { baseUrl: peer.baseUrl, token: '$plugin.token' })
  const message = await refused('stored')
  assert.match(
    message,
    /^spec\.generators\[0\]\.plugin: the plugin "NAME" is not allowed; .*WADI_APPSET_PLUGINS/,
  )
  assert.equal(await refused('absent'), message)
  const matrix = {
    generators: [{ list: { elements: [{ n: 'stored' }] } }, plugin({ configMapRef: { name: '{{n}}' } })],
  }
  await assert.rejects(fixture.parameters({ matrix }), PermissionDeniedError)
  assert.deepEqual(peer.requests, [])
})

for (const [data, message] of [
  [{ token: '$plugin.token' }, /baseUrl not found in ConfigMap/],
  [{ baseUrl: 'http://127.0.0.1:1' }, /token not found in ConfigMap/],
  [
    { baseUrl: 'http://127.0.0.1:1', token: 'plain-secret' },
    /token does not reference a secret key starting with '\$'/,
  ],
  [
    { baseUrl: 'http://127.0.0.1:1', token: '$absent' },
    /Secret argocd\/argocd-secret has no token in "absent"/,
  ],
  [{ baseUrl: 'http://127.0.0.1:1', token: '$none:key' }, /Secret argocd\/none has no token in "key"/],
  [{ baseUrl: 'http://127.0.0.1:1', token: '$broken' }, /has no token in "broken"/],
  [
    { baseUrl: 'file:///etc/passwd', token: '$plugin.token' },
    /baseUrl must be an address that begins with http/,
  ],
  [{ baseUrl: 'http://a:b@127.0.0.1', token: '$plugin.token' }, /without user, query and fragment/],
  [{ baseUrl: 'http://127.0.0.1?a=b', token: '$plugin.token' }, /without user, query and fragment/],
  [{ baseUrl: 'http://127.0.0.1', token: '$plugin.token', requestTimeout: '1m' }, /error set requestTimeout/],
  [
    { baseUrl: 'http://127.0.0.1', token: '$plugin.token', requestTimeout: '100000' },
    /error set requestTimeout/,
  ],
] as const) {
  test(`a ConfigMap with ${JSON.stringify(data)} is refused`, async () => {
    await using other = await startGeneratorFixture()
    await storePluginConfigMap(other.store, 'plugin', data)
    await assert.rejects(other.parameters(plugin()), (error) => {
      assert.ok(error instanceof Error)
      assert.match(error.message, /^spec\.generators\[0\]\.plugin: ConfigMap argocd\/plugin: /)
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /plain-secret|a:b@/)
      return true
    })
  })
}

test('a ConfigMap that is allowed and not there is reported', async () => {
  await using other = await startGeneratorFixture()
  await assert.rejects(
    other.parameters(plugin()),
    new FailedPreconditionError(
      'spec.generators[0].plugin: error fetching ConfigMap: ConfigMap argocd/plugin does not exist',
    ),
  )
})

const nested = `${'{"a":'.repeat(101)}{}${'}'.repeat(101)}`

for (const [reply, kind, message] of [
  [
    { status: 401, body: `no: ${pluginToken}` },
    FailedPreconditionError,
    /answered 401; check baseUrl and token$/,
  ],
  [{ status: 503, body: '' }, UnavailableError, /answered 503$/],
  [{ status: 204, body: '' }, FailedPreconditionError, /answered 204/],
  [{ body: `token ${pluginToken}` }, FailedPreconditionError, /the answer is not valid JSON$/],
  [{ body: [] }, FailedPreconditionError, /the answer has no list in output\.parameters$/],
  [{ body: { output: { parameters: {} } } }, FailedPreconditionError, /no list in output\.parameters$/],
  [
    { body: { output: { parameters: ['a'] } } },
    FailedPreconditionError,
    /output\.parameters\[0\] must be an object, not a string$/,
  ],
  [
    { body: `{"output":{"parameters":[${nested}]}}` },
    ResourceExhaustedError,
    /nested more than 100 levels deep$/,
  ],
  [{ body: Buffer.alloc(16 * 1024 * 1024 + 1, ' ') }, ResourceExhaustedError, /more than 16777216 bytes$/],
] as const) {
  test(`an answer is refused: ${message.source}`, async () => {
    peer.answer = reply
    await assert.rejects(fixture.parameters(plugin()), (error) => {
      assert.ok(error instanceof kind)
      assert.match(error.message, /^spec\.generators\[0\]\.plugin: plugin at 127\.0\.0\.1:\d+/)
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, new RegExp(pluginToken))
      return true
    })
  })
}

test('a redirect is not followed, so that no other host gets the token', async () => {
  const asked: string[] = []
  const other = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end()
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  assert.ok(typeof address === 'object' && address)
  peer.answer = { status: 307, headers: { location: `http://127.0.0.1:${address.port}/x` }, body: '' }
  await assert.rejects(fixture.parameters(plugin()), /answered 307, and redirects are not followed/)
  assert.deepEqual(asked, [])
  other.close()
  await once(other, 'close')
})

test('a plugin that does not answer and one that is down have different errors', async () => {
  await using other = await startGeneratorFixture()
  await using silent = await startPlugin(other.store, { requestTimeout: '1' })
  silent.answer = {}
  await assert.rejects(
    other.parameters(plugin()),
    (error) => error instanceof DeadlineExceededError && error.message.endsWith('no answer within 1 s'),
  )
  await silent[Symbol.asyncDispose]()
  await assert.rejects(
    other.parameters(plugin()),
    (error) => error instanceof UnavailableError && error.message.endsWith(' does not answer'),
  )
})

test('keys of an answer that JavaScript knows are keys like every other', async () => {
  peer.answer = { body: '{"output":{"parameters":[{"__proto__":{"x":"y"},"constructor":"c"}]}}' }
  const [flat] = await fixture.parameters(plugin())
  assert.deepEqual(Object.entries(flat?.values ?? {}).slice(0, 2), [
    ['__proto__.x', 'y'],
    ['constructor', 'c'],
  ])
})
