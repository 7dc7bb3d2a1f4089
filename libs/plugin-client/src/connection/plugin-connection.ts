import { setTimeout as pause } from 'node:timers/promises'
import { type CallOptions, type Client, type Interceptor, createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { DeadlineExceededError, ResourceExhaustedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import {
  type AppStreamRequest,
  type CheckPluginConfigurationResponse,
  ConfigManagementPluginService,
} from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { ServiceConnection } from '@wadi/rpc/service-connection.ts'
import type { ServiceIdentity } from '@wadi/rpc/service-identity.ts'
import type { CurrentTls } from '@wadi/rpc/tls-files.ts'
import { traceCallsTo } from '@wadi/rpc/trace.ts'
import { type PluginCall, PluginUnavailableError } from '@wadi/rendering/renderers/plugin/plugins.ts'
import type { Archive } from '../archive/archive-packer.ts'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import { archiveRequests } from './archive-requests.ts'
import { type NamedPlugin, pluginFailure } from './plugin-failure.ts'

/** The options that all connections share. */
export interface PluginConnectionOptions {
  readonly identity: ServiceIdentity | undefined
  readonly tls: CurrentTls | undefined
  readonly messageBytes: number
  /** Deadline of a run, in milliseconds. */
  readonly timeoutMs: number
}

type Service = Client<typeof ConfigManagementPluginService>
/** A call of one of the methods that take files. */
export type RunMethod<T> = (
  service: Service,
  requests: AsyncIterable<AppStreamRequest>,
  options: CallOptions,
) => Promise<T>

// What runs behind an address may be replaced, and the programs of a plugin may change, without a sign.
const configurationMs = 10_000
// Thousands of sources may ask in a row.
const failureMs = 1_000
// Argo CD's server takes pings more often than every 10 s for an attack.
const pings = { pingIntervalMs: 20_000, maxSilenceMs: 20_000 }
const checkTimeoutMs = 10_000
// As often as Argo CD asks, which servers use to hold callers back.
const checkAttempts = 3
const retryPauseMs = 100
const responseWindowBytes = 1024 ** 2
const sessionMemoryMegabytes = 256

/** One cmp-server: a connection that is opened by the first call and again after it was lost. */
export class PluginConnection implements Disposable {
  readonly endpoint: string
  readonly #service: Service
  readonly #session: ServiceConnection
  readonly #timeoutMs: number
  #configuration: { answer: Promise<CheckPluginConfigurationResponse>; until: number } | undefined

  /**
   * @param endpoint `unix:/path`, `http://host:port` or `https://host:port`
   */
  constructor(endpoint: string, options: PluginConnectionOptions) {
    this.endpoint = endpoint
    this.#timeoutMs = options.timeoutMs
    this.#session = new ServiceConnection(endpoint, () => ({
      ...pings,
      ...options.tls?.(),
      settings: { initialWindowSize: responseWindowBytes },
      maxSessionMemory: sessionMemoryMegabytes,
    }))
    const interceptors: Interceptor[] = [traceCallsTo('cmp-server')]
    if (options.identity !== undefined) interceptors.push(options.identity.clientInterceptor('cmp-server'))
    this.#service = createClient(
      ConfigManagementPluginService,
      createGrpcTransport({
        baseUrl: this.#session.authority,
        sessionManager: this.#session,
        acceptCompression: [],
        readMaxBytes: options.messageBytes,
        writeMaxBytes: options.messageBytes,
        interceptors,
      }),
    )
  }

  /**
   * Returns the plugin's configuration, cached for a while; concurrent callers share one request.
   * @throws PluginUnavailableError when there is no answer within 10 s, and the other errors of {@link pluginFailure}
   */
  async configuration(name: string, signal?: AbortSignal): Promise<CheckPluginConfigurationResponse> {
    const known = this.#configuration
    const isRecent = known !== undefined && performance.now() <= known.until
    return untilAborted(isRecent ? known.answer : this.#keepConfiguration(name), signal, 'the call')
  }

  /** Asks again the next time. */
  forgetConfiguration(): void {
    this.#configuration = undefined
  }

  /** Sends an archive and what to do with it by one of the methods that take files, and returns the answer. */
  async run<T>(send: RunMethod<T>, plugin: NamedPlugin, archive: Archive, call: PluginCall): Promise<T> {
    const metadata = {
      appName: call.path.split('/').at(-1) || 'root',
      appRelPath: call.path || '.',
      env: [...call.variables],
    }
    const options: CallOptions = {
      timeoutMs: this.#timeLeft(call),
      ...(call.signal && { signal: call.signal }),
    }
    try {
      return await send(this.#service, archiveRequests(archive, metadata), options)
    } catch (error) {
      throw pluginFailure(error, plugin, call.signal)
    }
  }

  #timeLeft({ deadline = Infinity }: PluginCall): number {
    return Math.max(1, Math.floor(Math.min(this.#timeoutMs, deadline - performance.now())))
  }

  /** True while there is a connection. */
  get isOpen(): boolean {
    return this.#session.isOpen
  }

  /** From now on the connection closes as soon as nothing runs, and what the plugin said before may not hold. */
  retire(): void {
    this.#configuration = undefined
    this.#session.retire()
  }

  [Symbol.dispose](): void {
    this.#session[Symbol.dispose]()
  }

  #keepConfiguration(name: string): Promise<CheckPluginConfigurationResponse> {
    const asked = { answer: this.#askConfiguration(name), until: Infinity }
    this.#configuration = asked
    asked.answer.then(
      () => {
        asked.until = performance.now() + configurationMs
      },
      () => {
        asked.until = performance.now() + failureMs
      },
    )
    return asked.answer
  }

  async #askConfiguration(name: string): Promise<CheckPluginConfigurationResponse> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#service.checkPluginConfiguration({}, { timeoutMs: checkTimeoutMs })
      } catch (error) {
        const failure = pluginFailure(error, { name, endpoint: this.endpoint }, undefined)
        if (failure instanceof DeadlineExceededError) {
          throw new PluginUnavailableError(
            `plugin ${name} does not answer at ${this.endpoint} within ${checkTimeoutMs / 1000} s; check its cmp-server`,
            { cause: error },
          )
        }
        const mayPass = failure instanceof UnavailableError || failure instanceof ResourceExhaustedError
        if (attempt === checkAttempts || !mayPass) throw failure
        await pause(retryPauseMs)
      }
    }
  }
}
