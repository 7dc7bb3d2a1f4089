import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { AnsweringPlugin } from './connected-plugin.ts'
import { type PluginConnectionOptions, PluginConnection } from './connection/plugin-connection.ts'
import { findPluginSockets } from './plugin-sockets.ts'

/** A socket or endpoint at which a plugin is expected. */
export interface PluginPlace {
  /** The plugin's name if the socket's name contains it. */
  readonly socketName: string | undefined
  /** `unix:/path` or a URL. */
  readonly endpoint: string
  /** The name that it had when it last answered; `''` before. */
  readonly lastName: string
  /** Asks what runs there; PluginUnavailableError when it does not answer. */
  ask(signal?: AbortSignal): Promise<AnsweringPlugin>
  /** The same, or what it said before while it is unreachable. */
  recall(signal?: AbortSignal): Promise<AnsweringPlugin>
}

type PlaceOptions = PluginConnectionOptions & { readonly logger: Logger | undefined }

/**
 * The time for which a plugin whose socket is gone is expected back, in milliseconds. A restart must not give its
 * applications to another renderer meanwhile.
 */
const expectedBackMs = 10 * 60_000

/** All places of plugins with their connections, which stay open between listings of the sockets. */
export class PluginPlaces implements Disposable {
  readonly #socketDirectory: string | undefined
  readonly #lookAgainMs: number
  readonly #options: PlaceOptions
  readonly #endpoints: readonly Place[]
  #sockets = new Map<string, Place>()
  /** Those whose socket is gone, by its path. */
  #gone = new Map<string, { readonly place: Place; readonly since: number }>()
  /** Those of a socket that was made again, while they still run something. */
  #replaced: readonly Place[] = []
  #look: { readonly at: number; readonly done: Promise<void> } | undefined

  constructor(
    places: { socketDirectory: string | undefined; endpoints: readonly string[]; lookAgainMs: number },
    options: PlaceOptions,
  ) {
    this.#socketDirectory = places.socketDirectory
    this.#lookAgainMs = places.lookAgainMs
    this.#options = options
    this.#endpoints = places.endpoints.map((endpoint) => new Place(endpoint, undefined, options))
  }

  /** Returns all places, by a listing of the directory of sockets that is not older than agreed. */
  async find(fresh = false): Promise<PluginPlace[]> {
    if (this.#socketDirectory === undefined) return [...this.#endpoints]
    const isRecent = this.#look !== undefined && performance.now() - this.#look.at < this.#lookAgainMs
    if (this.#look === undefined || !isRecent || fresh) {
      const before = this.#look?.done.catch(() => undefined)
      const done = Promise.resolve(before).then(() => this.#lookAt(this.#socketDirectory ?? ''))
      this.#look = { at: performance.now(), done }
    }
    await this.#look.done
    const gone = [...this.#gone.values()].map(({ place }) => place)
    return [...this.#sockets.values(), ...gone, ...this.#endpoints]
  }

  [Symbol.dispose](): void {
    const gone = [...this.#gone.values()].map(({ place }) => place)
    for (const place of [...this.#sockets.values(), ...gone, ...this.#replaced, ...this.#endpoints]) {
      place[Symbol.dispose]()
    }
  }

  /** Sockets that are new or made again get a connection, those that are gone lose it once nothing runs. */
  async #lookAt(directory: string): Promise<void> {
    const found = await findPluginSockets(directory)
    const before = this.#sockets
    const replaced: Place[] = []
    this.#sockets = new Map(
      found.map(({ name, path, generation }) => {
        const known = before.get(path) ?? this.#gone.get(path)?.place
        this.#gone.delete(path)
        if (known?.socket?.generation === generation) return [path, known]
        if (known !== undefined) replaced.push(known)
        return [path, new Place(`unix:${path}`, { name, generation }, this.#options, known)]
      }),
    )
    const now = performance.now()
    for (const [path, place] of before) {
      if (this.#sockets.has(path)) continue
      place.retire()
      if (place.hasAnswered) this.#gone.set(path, { place, since: now })
      else replaced.push(place)
    }
    for (const [path, { place, since }] of this.#gone) {
      if (now - since < expectedBackMs) continue
      this.#gone.delete(path)
      place[Symbol.dispose]()
    }
    for (const place of replaced) place.retire()
    this.#replaced = [...this.#replaced, ...replaced].filter((place) => place.isOpen)
  }
}

class Place implements PluginPlace, Disposable {
  readonly endpoint: string
  readonly socket: { readonly name: string; readonly generation: string } | undefined
  readonly #connection: PluginConnection
  readonly #logger: Logger | undefined
  #lastAnswer: AnsweringPlugin | undefined

  /** @param before what was at the same place, and may be starting again */
  constructor(
    endpoint: string,
    socket: { readonly name: string; readonly generation: string } | undefined,
    options: PlaceOptions,
    before?: Place,
  ) {
    this.endpoint = endpoint
    this.socket = socket
    this.#logger = options.logger
    this.#connection = new PluginConnection(endpoint, options)
    const last = before === undefined ? undefined : before.#lastAnswer
    if (last !== undefined) this.#lastAnswer = this.#answer(last.name, last.configuration)
  }

  get socketName(): string | undefined {
    return this.socket?.name
  }

  get lastName(): string {
    return this.socketName ?? this.#lastAnswer?.name ?? ''
  }

  get hasAnswered(): boolean {
    return this.#lastAnswer !== undefined
  }

  async ask(signal?: AbortSignal): Promise<AnsweringPlugin> {
    const configuration = await this.#connection.configuration(this.lastName || this.endpoint, signal)
    const name = this.socketName ?? configuration.pluginName
    if (name === '') {
      throw new FailedPreconditionError(
        `the cmp-server at ${this.endpoint} does not report the name of its plugin, like Argo CD's; give it a socket with the plugin's name in the directory of sockets`,
      )
    }
    if (this.#lastAnswer?.configuration === configuration) return this.#lastAnswer
    const isChanged = this.#lastAnswer?.configuration.identity !== configuration.identity
    this.#lastAnswer = this.#answer(name, configuration)
    if (isChanged) {
      const { identity, warnings } = configuration
      this.#logger?.info({ plugin: name, endpoint: this.endpoint, identity }, 'plugin found')
      for (const warning of warnings)
        this.#logger?.warn({ plugin: name, warning }, 'plugin file has an error')
    }
    return this.#lastAnswer
  }

  async recall(signal?: AbortSignal): Promise<AnsweringPlugin> {
    try {
      return await this.ask(signal)
    } catch (error) {
      if (this.#lastAnswer === undefined || !(error instanceof UnavailableError)) throw error
      return this.#lastAnswer
    }
  }

  get isOpen(): boolean {
    return this.#connection.isOpen
  }

  retire(): void {
    this.#connection.retire()
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]()
  }

  #answer(name: string, configuration: AnsweringPlugin['configuration']): AnsweringPlugin {
    const { endpoint } = this
    return {
      name,
      endpoint,
      generation: this.socket?.generation ?? '',
      configuration,
      connection: this.#connection,
    }
  }
}
