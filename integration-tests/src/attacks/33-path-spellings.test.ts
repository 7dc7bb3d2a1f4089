import { projectObject } from '../application-fixture.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2, constants } from 'node:http2'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { meshOfFile } from '../mesh-fixture.ts'

/** A name that nobody may learn without a right to it. */
const secretProject = 'project-nobody-may-see'
const list = 'wadi.api_gateway.v1.ProjectService/ListProjects'

// No limit on calls may hide how a path is answered.
const mesh = await meshOfFile({ environment: { WADI_CALLS_PER_ADDRESS: '100000' } })
const { hostname: host, port } = new URL(mesh.address)
await mesh.fixture.gateway.resources.applyResource({ resource: projectObject(secretProject, {}) })

/** Ways to spell the path of an RPC, of which the first alone is right. */
const spellings = [
  `/${list}`,
  list,
  `//${list}`,
  `/./${list}`,
  `/x/../${list}`,
  `/${list}/`,
  `/${list}/.`,
  `/${list};x=1`,
  `/${list}#fragment`,
  `/${list}%00`,
  `/%77${list.slice(1)}`,
  `/${list.replace('/', '%2F')}`,
  `/${list.replace('/', '\\')}`,
  `/${list.toUpperCase()}`,
  `/api/${list}`,
  `http://other.example.com/${list}`,
]

/** Bodies of an empty request, by content type. */
const bodies: readonly [string, Buffer][] = [
  ['application/json', Buffer.from('{}')],
  ['application/proto', Buffer.alloc(0)],
  ['application/grpc', Buffer.alloc(5)],
  ['application/grpc+json', Buffer.from('\0\0\0\0\x02{}', 'latin1')],
  ['application/grpc-web', Buffer.alloc(5)],
  ['application/grpc-web+json', Buffer.from('\0\0\0\0\x02{}', 'latin1')],
  ['application/grpc-web-text', Buffer.from(Buffer.alloc(5).toString('base64'))],
  ['application/connect+json', Buffer.from('\0\0\0\0\x02{}', 'latin1')],
]

interface Asked {
  path: string
  contentType: string
  body: Buffer
  token?: string
}

/** The whole answer of the server over HTTP/2, with its status; empty when it ends the stream. */
async function overHttp2({ path, contentType, body, token }: Asked): Promise<string> {
  const session = connectHttp2(mesh.address)
  try {
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      'content-type': contentType,
      te: 'trailers',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    })
    stream.end(body)
    const [headers] = await once(stream, 'response')
    return `${String(headers[':status'])} ${await text(stream)}`
  } catch {
    return ''
  } finally {
    session.destroy()
  }
}

/** The whole answer of the server over HTTP/1.1, byte for byte as it was asked. */
async function overHttp1({ path, contentType, body, token }: Asked, method = 'POST'): Promise<string> {
  const socket = connect(Number(port), host)
  const credentials = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
  const head =
    `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-type: ${contentType}\r\n` +
    `${credentials}content-length: ${body.length}\r\n\r\n`
  socket.end(Buffer.concat([Buffer.from(head, 'latin1'), body]))
  return text(socket).catch(() => '')
}

function reports(answer: string): boolean {
  const decoded = answer.replaceAll(/[A-Za-z0-9+/]{20,}={0,2}/g, (run) =>
    Buffer.from(run, 'base64').toString('latin1'),
  )
  return answer.includes(secretProject) || decoded.includes(secretProject)
}

test('with a token, each protocol answers the one right spelling of a path', async () => {
  const token = mesh.token
  for (const [contentType, body] of bodies.filter(([type]) => !/connect|web-text/.test(type))) {
    const path = `/${list}`
    const answers = [await overHttp2({ path, contentType, body, token })]
    if (!/grpc(?:\+json)?$/.test(contentType))
      answers.push(await overHttp1({ path, contentType, body, token }))
    for (const answer of answers) assert.ok(reports(answer), `${contentType}: ${answer.slice(0, 200)}`)
  }
})

for (const token of [undefined, 'not.a.token']) {
  test(`no spelling and no protocol passes by the sign-in ${token === undefined ? 'without' : 'with a wrong'} token`, async () => {
    for (const path of spellings) {
      for (const [contentType, body] of bodies) {
        const asked = { path, contentType, body, ...(token !== undefined && { token }) }
        for (const answer of [await overHttp2(asked), await overHttp1(asked)]) {
          assert.ok(!reports(answer), `${path} ${contentType}: ${answer.slice(0, 300)}`)
          assert.doesNotMatch(answer, /^(?:HTTP\/1\.1 )?429/)
        }
      }
    }
  })
}

test('the right spelling without a token is unauthenticated, and not merely unknown', async () => {
  const asked = { path: `/${list}`, contentType: 'application/json', body: Buffer.from('{}') }
  assert.match(await overHttp1(asked), /^HTTP\/1\.1 401 /)
  assert.match(await overHttp2(asked), /^401 .*unauthenticated/)
})

test('a GET reads with the same right, and changes nothing whoever asks', async () => {
  const query = '?connect=v1&encoding=json&message=%7B%7D'
  const get = async (path: string, token?: string) =>
    overHttp1(
      { path, contentType: 'application/json', body: Buffer.alloc(0), ...(token && { token }) },
      'GET',
    )
  assert.ok(reports(await get(`/${list}${query}`, mesh.token)))
  assert.ok(!reports(await get(`/${list}${query}`)))
  const remove = 'wadi.api_gateway.v1.ProjectService/DeleteProject'
  const message = encodeURIComponent(JSON.stringify({ name: secretProject }))
  const refused = await get(`/${remove}?connect=v1&encoding=json&message=${message}`, mesh.token)
  assert.match(refused, /^HTTP\/1\.1 405 /)
  const { projects } = await mesh.fixture.gateway.projects.listProjects({})
  assert.ok(JSON.stringify(projects).includes(secretProject))
})

test('services behind the gateway cannot be reached through it, by any spelling', async () => {
  const inside = 'wadi.repo_server.v1.RepoServerService/ListRepositories'
  for (const path of [`/${inside}`, inside, `//${inside}`]) {
    const asked = { path, contentType: 'application/json', body: Buffer.from('{}'), token: mesh.token }
    assert.match(await overHttp1(asked), /^HTTP\/1\.1 40[04] /, path)
    assert.match(await overHttp2(asked), /^(?:40[04] |$)/, path)
  }
})
