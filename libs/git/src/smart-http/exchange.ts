import { request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { connectionsTo } from '../network/connections.ts'
import { hostAndPort } from '../network/network-policy.ts'
import { authorizationHeader } from '../remote/credentials.ts'
import { exchangeFailure, statusFailure } from './exchange-failure.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { OddAnswerError } from './pkt-line.ts'
import { SlownessGuard } from './slowness-guard.ts'

/** A request to a git server. */
export type Question = {
  /** Below the URL of the repository, for example `info/refs?service=git-upload-pack`. */
  path: string
  headers: Record<string, string>
  /** Sent with POST; without it the request is a GET. A function is called once for each connection that is tried. */
  body?: Buffer | (() => AsyncIterable<Buffer>)
  /** Bytes of the answer, after decompression, beyond which it is refused. */
  maxBytes: number
  /** The media type that the answer has when the server speaks this protocol. */
  expects: string
}

/**
 * Sends one request to a git server over a connection that is kept open. A server that closes it at the moment when it is used
 * again is asked once more, as curl does.
 * @returns the answer, to be read to its end; who stops before closes the connection
 * @throws the errors that git's own client of HTTP ends in, by class and text; OddAnswerError for a status or media type of a
 *   server that did not understand the request; reading the answer throws the same
 */
export async function exchange(remote: RemoteTarget, question: Question): Promise<AsyncIterable<Buffer>> {
  for (;;) {
    let sent: ClientRequest | undefined
    const guard = new SlownessGuard((error) => sent?.destroy(error))
    try {
      remote.signal.throwIfAborted()
      sent = open(remote, question)
      const response = await responseTo(sent, question.body, guard)
      assertExpected(response, remote, question)
      response.once('close', () => {
        guard[Symbol.dispose]()
        if (sent?.writableFinished === false) sent.destroy()
      })
      return bodyOf(response, remote, question.maxBytes, guard)
    } catch (error) {
      guard[Symbol.dispose]()
      sent?.destroy()
      if (sent?.reusedSocket !== true || !isReset(error) || remote.signal.aborted) {
        throw exchangeFailure(error, remote)
      }
    }
  }
}

function open(remote: RemoteTarget, { path, headers, body }: Question): ClientRequest {
  const { host, port } = hostAndPort(remote.url)
  // Not the host that `URL` would make of it: what was checked is the name as it is written.
  const repository = new URL(remote.url.text).pathname.replace(/\/?$/, '/')
  const authorization = authorizationHeader(remote.credentials)
  const options: RequestOptions = {
    host,
    port,
    path: repository + path,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      // Forges recognise clients of git by how this begins.
      'user-agent': 'git/wadi',
      'accept-encoding': 'gzip',
      ...headers,
      ...(Buffer.isBuffer(body) && { 'content-length': String(body.length) }),
      ...(authorization !== undefined && { authorization }),
    },
    agent: connectionsTo(remote),
    signal: remote.signal,
  }
  return remote.url.transport === 'https' ? httpsRequest(options) : httpRequest(options)
}

async function responseTo(
  sent: ClientRequest,
  body: Question['body'],
  guard: SlownessGuard,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  sent.once('response', resolve).on('error', reject)
  if (body === undefined || Buffer.isBuffer(body)) sent.end(body)
  else pipeline(Readable.from(counted(body(), guard)), sent).catch(reject)
  return promise
}

function assertExpected(response: IncomingMessage, remote: RemoteTarget, { expects }: Question): void {
  const status = response.statusCode ?? 0
  if (status !== 200) throw statusFailure(remote, status, response.headers)
  const type = (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  // git takes a page, such as that of a proxy which wants a login, for a repository without refs.
  if (type === 'text/html') throw new Error('it answers with a page for browsers and not as a git server')
  if (type !== expects) throw new OddAnswerError(`the answer is ${JSON.stringify(type?.slice(0, 100))}`)
}

async function* counted(chunks: AsyncIterable<Buffer>, guard: SlownessGuard): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    guard.moved(chunk.length)
    yield chunk
  }
}

async function* bodyOf(
  response: IncomingMessage,
  remote: RemoteTarget,
  maxBytes: number,
  guard: SlownessGuard,
): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const chunk of decoded(response)) {
      guard.moved(chunk.length)
      bytes += chunk.length
      if (bytes > maxBytes) {
        throw new ResourceExhaustedError(`the git server sent more than ${maxBytes} bytes`)
      }
      yield chunk
    }
  } catch (error) {
    throw exchangeFailure(error, remote)
  } finally {
    response.destroy()
  }
}

function decoded(response: IncomingMessage): AsyncIterable<Buffer> {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return response
  if (!/^(?:x-)?gzip$/i.test(encoding)) {
    throw new Error(`its answer has the unknown encoding ${JSON.stringify(encoding.slice(0, 50))}`)
  }
  const plain = createGunzip()
  // A failure of either destroys the other, and reading it reports the failure.
  pipeline(response, plain).catch(() => undefined)
  return plain
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}
