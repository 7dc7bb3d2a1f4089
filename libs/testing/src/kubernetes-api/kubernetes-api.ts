import { once } from 'node:events'
import {
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { ClusterConfig } from '@wadi/kubernetes/config/cluster-config.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { TestAccountIssuer } from './account-issuer.ts'
import { ApiAdmission } from './api-admission.ts'
import { ApiFailure } from './api-failure.ts'
import { ApiObjects } from './api-objects.ts'
import { type ReceivedRequest, readRequest } from './api-request.ts'
import { answerFailure, answerJson, readJson } from './http2-answers.ts'
import { readCustomKinds } from './kind-definition.ts'
import { askedDocument, openApiDocument } from './openapi-document.ts'
import { startTcpRelay, type TcpRelay } from './tcp-relay.ts'

/** No stream is refused yet. */
const maxStreamId = 2 ** 31 - 1

/**
 * A stand-in for the Kubernetes API: it keeps objects in memory, answers as a real server does, and can be disturbed. It speaks
 * HTTP/2 without TLS.
 */
export class KubernetesApi implements AsyncDisposable {
  readonly server: string
  /** Connects with the token that is admitted at the moment. */
  readonly config: ClusterConfig
  /** The relay between clients and the API. */
  readonly relay: TcpRelay
  readonly admission = new ApiAdmission()
  /** The signer of service account tokens. */
  readonly accounts = new TestAccountIssuer()
  /** Requests since the start, as `verb plural`, for example `list applications`. */
  readonly requests: string[] = []
  /** Called with each entry of `requests` before the request is answered. */
  onRequest: (request: string) => void = () => undefined
  readonly #http: Http2Server
  readonly #objects = new ApiObjects()
  readonly #sessions = new Set<ServerHttp2Session>()

  constructor(http: Http2Server, relay: TcpRelay) {
    this.#http = http
    this.relay = relay
    this.server = `http://127.0.0.1:${relay.port}`
    this.config = {
      server: this.server,
      namespace: undefined,
      tls: async () => ({}),
      bearerToken: async () => this.admission.token,
    }
    http.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session)
      session.once('close', () => this.#sessions.delete(session))
    })
    http.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      stream.on('error', () => undefined)
      const document = this.#document(headers[':path'] ?? '')
      if (document !== undefined) {
        answerJson(stream, 200, document)
        return
      }
      this.#answer(stream, readRequest(headers)).catch((error: unknown) => answerFailure(stream, error))
    })
  }

  /** Watches that run now. */
  get watches(): number {
    return this.#objects.watches
  }

  /** Serves the kinds of files of CustomResourceDefinitions. */
  async applyCrds(...files: readonly string[]): Promise<void> {
    for (const file of files) {
      for (const kind of await readCustomKinds(file)) this.#objects.addKind(kind)
    }
  }

  /** True if a watch may begin with a list. */
  get canStreamLists(): boolean {
    return this.#objects.canStreamLists
  }

  set canStreamLists(can: boolean) {
    this.#objects.canStreamLists = can
  }

  /** Creates an object, or changes it by a merge patch, without a request; its namespace is created if there is none. */
  put(object: Resource): Resource {
    return this.#objects.put(object)
  }

  /** Removes an object without a request. */
  remove(object: Resource): void {
    this.#objects.remove(object)
  }

  /** Sends a bookmark to every watch that wants them, after other kinds have moved the version on. */
  bookmark(): void {
    this.#objects.bookmark()
  }

  /** Ends every watch, as a server does when their time is over. */
  endWatches(): void {
    this.#objects.endWatches()
  }

  /** Says goodbye on every connection, as a server does now and then to spread its clients: running streams may end by themselves. */
  sayGoodbye(): void {
    for (const session of this.#sessions) session.goaway(constants.NGHTTP2_NO_ERROR, maxStreamId)
  }

  /** Forgets the history: a watch from a version before now gets 410. */
  compact(): void {
    this.#objects.compact()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.relay[Symbol.asyncDispose]()
    this.#http.close()
    await once(this.#http, 'close')
  }

  /** Returns a document that is not an object: OpenAPI, and the signer of tokens. */
  #document(path: string): object | undefined {
    const asked = askedDocument(path)
    if (asked !== undefined) return openApiDocument(asked, this.#objects.stores)
    return this.accounts.document(path)
  }

  async #answer(stream: ServerHttp2Stream, request: ReceivedRequest | undefined): Promise<void> {
    if (request === undefined) throw new ApiFailure(404, 'NotFound', '404 page not found')
    const asked = `${request.verb} ${request.plural}`
    this.requests.push(asked)
    this.onRequest(asked)
    const body = await readJson(stream)
    this.admission.admit(request)
    if (request.verb === 'watch') {
      this.#watch(stream, request)
      return
    }
    if (asked === 'create selfsubjectaccessreviews') {
      answerJson(stream, 201, this.admission.review(body))
      return
    }
    const answer = this.#objects.answer(request, body)
    answerJson(stream, answer.status, answer.body)
  }

  #watch(stream: ServerHttp2Stream, request: ReceivedRequest): void {
    this.#objects.watch(request, () => {
      stream.respond({ ':status': 200, 'content-type': 'application/json' })
      return {
        write: (text) => void stream.write(text),
        end: () => void stream.end(),
        onClose: (listener) => void stream.once('close', listener),
      }
    })
  }
}

/** Starts a stand-in on a free port. */
export async function startKubernetesApi(): Promise<KubernetesApi> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('an HTTP server has a port')
  return new KubernetesApi(server, await startTcpRelay(address.port))
}
