import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { Client, Metadata, type ServiceError, credentials } from '@grpc/grpc-js'

/** The error of a failed call in argocd's command line. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** A connection of argocd's command line, which makes one for each command. */
export interface Connection extends Disposable {
  /** Makes a call with one answer; `method` is for example `/version.VersionService/Version`. */
  call(method: string, request?: Buffer): Promise<Buffer>
  /** Makes a call with many answers, which ends when the loop over them does. */
  stream(method: string, request?: Buffer): AsyncIterable<Buffer>
}

/** Connects to a server with a token; empty when nobody is signed in. */
export type Connect = (token: string) => Connection

const userAgent = 'argocd-client/v3.6.0 grpc-go/1.76.0'
const maxMessageBytes = 200 * 1024 ** 2
const empty = Buffer.alloc(0)
const same = (bytes: Buffer) => bytes

/** Connects as with `--plaintext` and, for `https`, as with `--insecure`: native gRPC on HTTP/2. */
export function nativeConnection(address: string, token: string): Connection {
  const { host, protocol } = new URL(address)
  const channel =
    protocol === 'https:'
      ? credentials.createSsl(null, null, null, { rejectUnauthorized: false })
      : credentials.createInsecure()
  const client = new Client(host, channel, {
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.primary_user_agent': userAgent,
    // Node takes no address for the name that a certificate is to have.
    'grpc.ssl_target_name_override': 'localhost',
  })
  const metadata = () => {
    const entries = new Metadata()
    entries.set('token', token)
    return entries
  }
  return {
    call: (method, request = empty) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(method, same, same, request, metadata(), (error, answer) =>
          answer === undefined ? reject(failureOf(error)) : resolve(answer),
        )
      }),
    async *stream(method, request = empty) {
      const call = client.makeServerStreamRequest(method, same, same, request, metadata())
      try {
        yield* call
      } finally {
        call.cancel()
      }
    },
    [Symbol.dispose]: () => client.close(),
  }
}

/**
 * Connects as with `--grpc-web`: the requests of a gRPC connection inside the process become requests of HTTP/1.1 whose
 * status is read from the head alone. `basePath` is that of `--grpc-web-root-path`.
 */
export function webConnection(address: string, token: string, basePath = ''): Connection {
  const open = new Set<http.ClientRequest>()
  const start = async (method: string, request: Buffer): Promise<http.IncomingMessage> => {
    const { request: send } = address.startsWith('https:') ? https : http
    const url = `${address}${basePath}${method}`
    const sent = send(url, {
      method: 'POST',
      rejectUnauthorized: false,
      headers: {
        'content-type': 'application/grpc-web+proto',
        'user-agent': userAgent,
        'grpc-accept-encoding': 'gzip',
        token,
      },
    })
    open.add(sent.once('close', () => open.delete(sent)))
    sent.end(frame(request))
    const [response]: http.IncomingMessage[] = await once(sent, 'response')
    if (!response) throw new Error('no response')
    if (response.statusCode !== 200) {
      response.resume()
      throw new RpcFailure(2, `POST ${url} failed with status code ${response.statusCode}`)
    }
    const status = Number(response.headers['grpc-status'] ?? 0)
    if (status !== 0) {
      response.resume()
      throw new RpcFailure(status, String(response.headers['grpc-message']))
    }
    return response
  }
  return {
    async call(method, request = empty) {
      const response = await start(method, request)
      for await (const message of messages(response)) {
        response.resume()
        return message
      }
      throw new RpcFailure(13, 'EOF')
    },
    async *stream(method, request = empty) {
      const response = await start(method, request)
      try {
        yield* messages(response)
      } finally {
        response.destroy()
      }
    },
    [Symbol.dispose]() {
      for (const request of open) request.destroy()
    },
  }
}

/**
 * Finds out what a server speaks, as `login` does it first: HTTP/2 with TLS of any certificate, else without.
 * @throws Error when it speaks neither
 */
export async function protocolOf(address: string): Promise<'tls' | 'plaintext'> {
  const { host } = new URL(address)
  if (await speaksHttp2(`https://${host}`)) return 'tls'
  if (await speaksHttp2(`http://${host}`)) return 'plaintext'
  throw new Error(`${host} does not speak HTTP/2`)
}

async function speaksHttp2(address: string): Promise<boolean> {
  const session = http2.connect(address, { rejectUnauthorized: false })
  const settings = once(session, 'remoteSettings')
  try {
    await settings
    return true
  } catch {
    return false
  } finally {
    session.destroy()
  }
}

/** The messages of an answer: the first frame with the flag of trailers ends them, whatever it says. */
async function* messages(response: http.IncomingMessage): AsyncIterable<Buffer> {
  let received = empty
  for await (const chunk of response) {
    received = Buffer.concat([received, chunk])
    while (received.length >= 5 && received.length >= 5 + received.readUInt32BE(1)) {
      if (received.readUInt8() === 0x80) return
      const end = 5 + received.readUInt32BE(1)
      yield received.subarray(5, end)
      received = received.subarray(end)
    }
  }
}

function frame(message: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

/** Go decodes all that is percent-encoded in a status, grpc-js leaves reserved characters as they came. */
function failureOf(error: ServiceError | null): Error {
  if (error === null) return new Error('no answer')
  return new RpcFailure(error.code, decodeURIComponent(error.details))
}
