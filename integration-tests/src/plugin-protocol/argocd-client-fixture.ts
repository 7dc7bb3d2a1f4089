import { type ChannelCredentials, Client, Metadata, type ServiceError, credentials } from '@grpc/grpc-js'
import { pluginService } from './argocd-messages-fixture.ts'

/** Returns the name by which Argo CD's repo-server gives a socket to gRPC: percent-encoded, without the slash that it begins with. */
export function goAuthority(socket: string): string {
  return encodeURIComponent(socket.slice(1))
}

/** A caller that speaks Argo CD's plugin protocol without any of this repository's code. */
export class ArgocdClient implements Disposable {
  readonly #client: Client
  readonly #metadata: Metadata

  /** `address` is `unix:/path` or `host:port`; `headers` go with every call. */
  constructor(
    address: string,
    options: {
      authority?: string
      credentials?: ChannelCredentials
      headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    this.#client = new Client(address, options.credentials ?? credentials.createInsecure(), {
      ...(options.authority !== undefined && { 'grpc.default_authority': options.authority }),
      'grpc.max_receive_message_length': 100 * 1024 ** 2,
    })
    this.#metadata = new Metadata()
    for (const [name, value] of Object.entries(options.headers ?? {})) this.#metadata.set(name, value)
  }

  /** A call with one request; `method` is a plugin's method, or a path with a slash. */
  unary(method: string, request: Buffer = Buffer.alloc(0)): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(pathOf(method), same, same, request, this.#metadata, (error, answer) =>
        answer === undefined ? reject(asGoReads(error)) : resolve(answer),
      )
    })
  }

  /** Sends the messages one by one, closes its side and waits for the answer. */
  async upload(method: string, messages: readonly Buffer[], timeoutMs?: number): Promise<Buffer> {
    const upload = this.startUpload(method, timeoutMs)
    for (const message of messages) await upload.send(message)
    upload.end()
    return upload.answer
  }

  /** Begins a stream that the caller fills, ends or gives up. */
  startUpload(method: string, timeoutMs?: number): Upload {
    const { promise: answer, resolve, reject } = Promise.withResolvers<Buffer>()
    // The reason is for whoever awaits the answer, which may be later.
    answer.catch(() => undefined)
    const call = this.#client.makeClientStreamRequest(
      pathOf(method),
      same,
      same,
      this.#metadata,
      timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs },
      (error, received) => (received === undefined ? reject(asGoReads(error)) : resolve(received)),
    )
    return {
      answer,
      // A call that has ended takes no more messages; its status says why.
      send: (message) => new Promise((sent) => call.write(message, () => sent())),
      end: () => call.end(),
      cancel: () => call.cancel(),
    }
  }

  /** Sends one request on a stream in both directions and returns the first answer. */
  exchange(method: string, request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const call = this.#client.makeBidiStreamRequest(pathOf(method), same, same, this.#metadata)
      call.once('data', resolve).once('error', (error: ServiceError) => reject(asGoReads(error)))
      call.write(request)
      call.end()
    })
  }

  [Symbol.dispose](): void {
    this.#client.close()
  }
}

/** A stream of files under way. */
export interface Upload {
  readonly answer: Promise<Buffer>
  /** Settles when the message was handed over or the call has ended. */
  send(message: Buffer): Promise<void>
  end(): void
  cancel(): void
}

/** Go decodes all that is percent-encoded in a status, grpc-js leaves reserved characters as they came. */
function asGoReads(error: ServiceError | null): Error {
  if (error === null) return new Error('no answer')
  return Object.assign(error, {
    details: decodeURIComponent(error.details.replaceAll(/%(?![\da-f]{2})/gi, '%25')),
  })
}

function pathOf(method: string): string {
  return method.startsWith('/') ? method : `${pluginService}${method}`
}

function same(bytes: Buffer): Buffer {
  return bytes
}
