import { createHash } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Server, ServerCredentials, type ServerReadableStream, status } from '@grpc/grpc-js'
import type { handleClientStreamingCall, handleUnaryCall } from '@grpc/grpc-js'
import {
  type FlatAnnouncement,
  type StreamMetadata,
  announcementsResponse,
  pluginService,
  readStreamRequest,
} from './argocd-messages-fixture.ts'
import { Http2Relay } from './http2-relay-fixture.ts'
import { wireMessage } from './protobuf-wire-fixture.ts'
import { type ExtractedEntry, type ReadEntry, extractAsArgocd, readTar } from './tar-reading-fixture.ts'

/** One stream of files as it arrived. */
export interface ReceivedStream {
  readonly method: string
  readonly metadata: StreamMetadata
  readonly chunkSizes: readonly number[]
  readonly archive: Buffer
  /** The archive's entries as they stand in it. */
  readonly entries: readonly ReadEntry[]
  /** The files that Argo CD has on disk afterwards. */
  readonly files: ReadonlyMap<string, ExtractedEntry>
  /** Time that the caller gave, in milliseconds; Infinity without a deadline. */
  readonly timeLeftMs: number
}

/** The behaviour of the server's plugin. */
export interface ArgocdPlugin {
  readonly isDiscoveryConfigured?: boolean
  readonly provideGitCreds?: boolean
  readonly match?: (stream: ReceivedStream) => boolean
  /** The dynamic announcements and after them the static ones, as they are sent. */
  readonly announce?: (stream: ReceivedStream) => readonly FlatAnnouncement[]
  readonly generate?: (
    stream: ReceivedStream,
    cancelled: AbortSignal,
  ) => readonly string[] | Promise<readonly string[]>
  /** Refuses every stream in these words after its first part, and reads no further. */
  readonly rejection?: string
  /** Answers so many configuration checks with ResourceExhausted first. */
  readonly busyChecks?: number
}

/** A cmp-server that behaves as Argo CD's and shares no code with this repository's. */
export class ArgocdPluginServer implements AsyncDisposable {
  /** Streams that arrived whole, in the order of their ends. */
  readonly streams: ReceivedStream[] = []
  /** The number of requests for the configuration. */
  checks = 0
  /** The relay between the socket and the server. */
  readonly relay: Http2Relay
  readonly #plugin: ArgocdPlugin
  readonly #server: Server
  readonly #owned: AsyncDisposableStack

  private constructor(plugin: ArgocdPlugin, server: Server, relay: Http2Relay, owned: AsyncDisposableStack) {
    this.#plugin = plugin
    this.#server = server
    this.relay = relay
    this.#owned = owned
    this.#addMethods()
  }

  /** Serves a plugin on `<directory>/<name>.sock`. */
  static async start(directory: string, name: string, plugin: ArgocdPlugin): Promise<ArgocdPluginServer> {
    await using owned = new AsyncDisposableStack()
    // Every socket in the directory of the plugins is one.
    const behind = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-argo-'))).path
    const upstream = path.join(behind, 'upstream.sock')
    const server = new Server({ 'grpc.max_receive_message_length': 100 * 1024 ** 2 })
    owned.defer(() => server.forceShutdown())
    const relay = owned.use(await Http2Relay.listen(path.join(directory, `${name}.sock`), upstream))
    const started = new ArgocdPluginServer(plugin, server, relay, owned.move())
    await new Promise<void>((resolve, reject) => {
      const credentials = ServerCredentials.createInsecure()
      server.bindAsync(`unix:${upstream}`, credentials, (error) => (error ? reject(error) : resolve()))
    })
    return started
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#owned.disposeAsync()
  }

  #addMethods(): void {
    const plugin = this.#plugin
    const check: handleUnaryCall<Buffer, Buffer> = (_, answer) => {
      this.checks += 1
      if (this.checks <= (plugin.busyChecks ?? 0))
        answer({ code: status.RESOURCE_EXHAUSTED, details: 'busy' })
      else answer(null, wireMessage(...flags([1, plugin.isDiscoveryConfigured], [2, plugin.provideGitCreds])))
    }
    this.#server.register(`${pluginService}CheckPluginConfiguration`, check, same, same, 'unary')
    this.#addStream('MatchRepository', (stream) =>
      wireMessage(...flags([1, plugin.match?.(stream)], [2, plugin.isDiscoveryConfigured])),
    )
    this.#addStream('GetParametersAnnouncement', (stream) =>
      announcementsResponse(plugin.announce?.(stream) ?? []),
    )
    this.#addStream('GenerateManifest', async (stream, cancelled) => {
      const manifests = (await plugin.generate?.(stream, cancelled)) ?? []
      return wireMessage(...manifests.map((manifest) => [1, manifest] as const))
    })
  }

  #addStream(
    method: string,
    respond: (stream: ReceivedStream, cancelled: AbortSignal) => Buffer | Promise<Buffer>,
  ): void {
    const respondTo = async (call: ServerReadableStream<Buffer, Buffer>) => {
      const cancelled = new AbortController()
      call.on('cancelled', () => cancelled.abort())
      const stream = await receive(call, method, this.#plugin.rejection)
      this.streams.push(stream)
      return respond(stream, cancelled.signal)
    }
    const handle: handleClientStreamingCall<Buffer, Buffer> = (call, answer) => {
      respondTo(call).then(
        (response) => answer(null, response),
        // Go's plain errors have no code of their own.
        (error: Error) => answer({ code: status.UNKNOWN, details: error.message }),
      )
    }
    this.#server.register(`${pluginService}${method}`, handle, same, same, 'clientStream')
  }
}

async function receive(
  call: ServerReadableStream<Buffer, Buffer>,
  method: string,
  rejection: string | undefined,
): Promise<ReceivedStream> {
  const deadline = Number(call.getDeadline())
  const timeLeftMs = deadline === Infinity ? Infinity : deadline - Date.now()
  let metadata: StreamMetadata | undefined
  const chunks: Buffer[] = []
  for await (const message of call as AsyncIterable<Buffer>) {
    const request = readStreamRequest(message)
    if (metadata === undefined) {
      metadata = request.metadata
      if (metadata === undefined) throw new Error('error getting stream metadata: metadata is nil')
    } else if (rejection !== undefined) throw new Error(rejection)
    else if (request.chunk === undefined) throw new Error('stream request file is nil')
    else chunks.push(request.chunk)
  }
  if (metadata === undefined) throw new Error('error getting stream metadata: EOF')
  const archive = Buffer.concat(chunks)
  if (createHash('sha256').update(archive).digest('hex') !== metadata.checksum) {
    throw new Error('error receiving tgz file: file checksum validation error')
  }
  const entries = readTar(archive)
  const chunkSizes = chunks.map(({ length }) => length)
  return { method, metadata, chunkSizes, archive, entries, files: extractAsArgocd(entries), timeLeftMs }
}

function flags(...fields: readonly (readonly [number: number, value: boolean | undefined])[]) {
  return fields.flatMap(([number, value]) => (value === true ? [[number, true] as const] : []))
}

function same(bytes: Buffer): Buffer {
  return bytes
}
