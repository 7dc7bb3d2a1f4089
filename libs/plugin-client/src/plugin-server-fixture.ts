import { type DescMessage, type MessageInitShape, create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Server, ServerCredentials, type handleClientStreamingCall, status } from '@grpc/grpc-js'
import {
  type AppStreamRequest,
  AppStreamRequestSchema,
  CheckPluginConfigurationResponseSchema,
  ConfigManagementPluginService,
  type ManifestRequestMetadata,
  ManifestResponseSchema,
  ParametersAnnouncementResponseSchema,
  RepositoryResponseSchema,
} from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'

/** A call that sent files, as the server got it. */
export interface ReceivedRun {
  readonly method: 'GenerateManifest' | 'MatchRepository' | 'GetParametersAnnouncement'
  readonly metadata: ManifestRequestMetadata
  readonly archive: Buffer
  readonly chunkSizes: readonly number[]
  readonly authorization: string | undefined
}

/** A server's answer to a run: the bytes of a message, or a status. */
export type Answer = Uint8Array | { readonly code: status; readonly details: string }

/** The behaviour of a plugin's server for tests. */
export interface PluginBehaviour {
  readonly configuration?: MessageInitShape<typeof CheckPluginConfigurationResponseSchema>
  /** The answer once everything was received. Default: no for a match, nothing for the others. */
  readonly answer?: (run: ReceivedRun) => Answer | Promise<Answer>
  /** Called for each part of a run before it is kept; what it returns is answered at once. */
  readonly early?: (server: PluginServer) => Answer | undefined | void
}

/** A plugin's server for tests and what it received. */
export interface PluginServer extends AsyncDisposable {
  /** `unix:/path` or `http://127.0.0.1:port`. */
  readonly endpoint: string
  readonly runs: ReceivedRun[]
  readonly checks: { count: number }
  /** Destroys every connection and stops listening. */
  die(): void
}

/** Starts a real gRPC server that speaks Argo CD's plugin protocol, at `unix:/path` or on a free port of 127.0.0.1. */
export async function startPluginServer(listen: string, behaviour: PluginBehaviour): Promise<PluginServer> {
  const server = new Server({ 'grpc.max_receive_message_length': -1 })
  const runs: ReceivedRun[] = []
  const checks = { count: 0 }
  const bound = Promise.withResolvers<number>()
  const die = () => server.forceShutdown()

  const run =
    (method: ReceivedRun['method']): handleClientStreamingCall<AppStreamRequest, Uint8Array> =>
    async (call, callback) => {
      const reply = (answer: Answer) =>
        answer instanceof Uint8Array ? callback(null, answer) : callback(answer)
      let metadata: ManifestRequestMetadata | undefined
      const chunks: Uint8Array[] = []
      const requests: AsyncIterable<AppStreamRequest> = call
      try {
        for await (const { request } of requests) {
          const early = behaviour.early?.(started)
          if (early) return reply(early)
          if (request.case === 'metadata') metadata = request.value
          else if (request.case === 'file') chunks.push(request.value.chunk)
        }
      } catch {
        // The caller is gone, or the connection was destroyed.
        return
      }
      if (metadata === undefined) return reply({ code: status.UNKNOWN, details: 'metadata is nil' })
      const received: ReceivedRun = {
        method,
        metadata,
        archive: Buffer.concat(chunks),
        chunkSizes: chunks.map((chunk) => chunk.length),
        authorization: call.metadata.get('authorization').at(0)?.toString(),
      }
      runs.push(received)
      const answer = (await behaviour.answer?.(received)) ?? nothing[method]
      // The three messages have this field by the same number, and messages one after the other are merged.
      const pluginIdentity = behaviour.configuration?.identity ?? ''
      const isMessage = answer instanceof Uint8Array && pluginIdentity !== ''
      reply(isMessage ? Buffer.concat([answer, bytes(ManifestResponseSchema, { pluginIdentity })]) : answer)
    }

  server.addService(
    {
      CheckPluginConfiguration: methodOf('CheckPluginConfiguration', false),
      GenerateManifest: methodOf('GenerateManifest', true),
      MatchRepository: methodOf('MatchRepository', true),
      GetParametersAnnouncement: methodOf('GetParametersAnnouncement', true),
    },
    {
      CheckPluginConfiguration: (
        _call: unknown,
        callback: (error: null, value: Uint8Array) => void,
      ): void => {
        checks.count += 1
        callback(null, bytes(CheckPluginConfigurationResponseSchema, behaviour.configuration ?? {}))
      },
      GenerateManifest: run('GenerateManifest'),
      MatchRepository: run('MatchRepository'),
      GetParametersAnnouncement: run('GetParametersAnnouncement'),
    },
  )
  const address = listen.startsWith('unix:') ? listen : '127.0.0.1:0'
  server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) =>
    error === null ? bound.resolve(port) : bound.reject(error),
  )
  const port = await bound.promise
  const endpoint = listen.startsWith('unix:') ? listen : `http://127.0.0.1:${port}`
  const started = { endpoint, runs, checks, die, [Symbol.asyncDispose]: async () => die() }
  return started
}

/** The bytes of a message. */
export function bytes<D extends DescMessage>(schema: D, value: MessageInitShape<D>): Uint8Array {
  return toBinary(schema, create(schema, value))
}

/** The answer of a run of GenerateManifest. */
export function manifests(...texts: string[]): Uint8Array {
  return bytes(ManifestResponseSchema, { manifests: texts })
}

const nothing = {
  GenerateManifest: manifests(),
  MatchRepository: bytes(RepositoryResponseSchema, { isDiscoveryEnabled: true }),
  GetParametersAnnouncement: bytes(ParametersAnnouncementResponseSchema, {}),
}

function methodOf(name: string, requestStream: boolean) {
  return {
    path: `/${ConfigManagementPluginService.typeName}/${name}`,
    requestStream,
    responseStream: false,
    requestSerialize: (message: AppStreamRequest) => Buffer.from(toBinary(AppStreamRequestSchema, message)),
    requestDeserialize: (data: Buffer) => fromBinary(AppStreamRequestSchema, data),
    responseSerialize: (data: Uint8Array) => Buffer.from(data),
    responseDeserialize: (data: Buffer) => data,
  }
}
