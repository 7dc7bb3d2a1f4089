import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { type GitCredentials, withoutSignIn } from '../remote/credentials.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { inSpan } from '@wadi/telemetry/span.ts'
import { parseRepositoryUrl, redactUrl } from '../remote/repository-url.ts'
import type { RepositoryUrl, UrlPolicy } from '../remote/repository-url.ts'
import { RepositoryMovedError } from '../process/git-failure.ts'
import { canSpeakHttp } from '../smart-http/http-client.ts'
import type { HttpClient } from '../smart-http/http-client.ts'
import { OddAnswerError } from '../smart-http/pkt-line.ts'
import { ServerMemory } from '../smart-http/server-memory.ts'

/** The options of requests to a remote. */
export type RemoteOptions = {
  policy: UrlPolicy
  /** Asked before every contact with the remote, so that rotated credentials take effect. */
  credentials: () => Promise<GitCredentials | undefined>
  /** Asked before every contact for what is trusted of the host, where the credentials say nothing. */
  trustOf?: (remote: RepositoryUrl) => Promise<GitCredentials>
  /** Asked before every contact for the addresses to connect to, none where any will do; throws to refuse the remote. */
  addressesOf?: (remote: RepositoryUrl) => Promise<readonly string[]>
  /** The client for remotes behind http and https; Wadi itself by default. */
  httpClient?: HttpClient
}

/** A way to do one thing with a remote. */
type Way<T> = (target: RemoteTarget, memory: ServerMemory) => Promise<T>

/**
 * Wadi's own client, which is asked where it can answer, and git, which is asked where that cannot or gets an answer that it does
 * not understand.
 */
export type Ways<T> = { builtIn?: Way<T>; git: Way<T> }

/** The repository that a mirror mirrors: where it is now, and what its server is known to understand. */
export class Remote {
  readonly #options: RemoteOptions
  /** The configured URL, or where the same host redirected to. */
  #url: RepositoryUrl
  #memory = new ServerMemory()

  constructor(options: RemoteOptions, url: RepositoryUrl) {
    this.#options = options
    this.#url = url
  }

  /**
   * Another repository of the same host, for a caller without credentials and for one with those of this one.
   * @throws InvalidInputError for a repository that is not of the same host
   */
  neighbours(url: string): { anonymous: Remote; known: Remote } {
    const other = parseRepositoryUrl(url, this.#options.policy)
    const { transport, host } = this.#url
    if (host === '' || other.transport !== transport || other.host !== host) {
      throw new InvalidInputError(
        `${redactUrl(url)} is not a repository of the host of ${redactUrl(this.#url.text)}`,
      )
    }
    const credentials = async (): Promise<GitCredentials> =>
      withoutSignIn((await this.#options.credentials()) ?? {})
    const anonymous = { ...this.#options, credentials }
    return { anonymous: new Remote(anonymous, other), known: new Remote(this.#options, other) }
  }

  /**
   * Does something with the remote. A redirect within the same host and port is followed once and remembered; any other is
   * refused.
   * @param what names it in traces, such as `fetch`
   * @throws RepositoryMovedError
   */
  async reach<T>(what: string, ways: Ways<T>, signal: AbortSignal): Promise<T> {
    const { hostname, port } = URL.parse(this.#url.text) ?? { hostname: '', port: '' }
    const attributes = {
      'wadi.repository': redactUrl(this.#url.text),
      ...(hostname !== '' && { 'server.address': hostname }),
      ...(port !== '' && { 'server.port': Number(port) }),
    }
    return inSpan(`remote ${what}`, { kind: 'client', attributes }, () => this.#reach(ways, signal))
  }

  async #reach<T>(ways: Ways<T>, signal: AbortSignal): Promise<T> {
    const own = await this.#options.credentials()
    const run = async (url: RepositoryUrl, memory: ServerMemory): Promise<T> => {
      const addresses = (await this.#options.addressesOf?.(url)) ?? []
      const credentials = { ...(await this.#options.trustOf?.(url)), ...own }
      const target = { url, credentials, addresses, signal }
      if (ways.builtIn === undefined || this.#options.httpClient === 'git' || !canSpeakHttp(target)) {
        return ways.git(target, memory)
      }
      try {
        return await ways.builtIn(target, memory)
      } catch (error) {
        if (!(error instanceof OddAnswerError)) throw error
        return ways.git(target, memory)
      }
    }
    try {
      return await run(this.#url, this.#memory)
    } catch (error) {
      const next = error instanceof RepositoryMovedError ? this.#sameOrigin(error.location) : undefined
      if (next === undefined) throw error
      const memory = new ServerMemory()
      const result = await run(next, memory)
      this.#url = next
      this.#memory = memory
      return result
    }
  }

  #sameOrigin(location: string | undefined): RepositoryUrl | undefined {
    const target = /^(.*)\/(?:info\/refs|git-upload-pack|git-receive-pack)(?:\?.*)?$/.exec(
      location ?? '',
    )?.[1]
    const here = URL.parse(this.#url.text)
    if (target === undefined || URL.parse(target)?.origin !== here?.origin) return undefined
    return target === this.#url.text ? undefined : parseRepositoryUrl(target, this.#options.policy)
  }
}
