import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import { byCodeUnits } from '@wadi/order/by-name.ts'
import {
  AlreadyExistsError,
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
  PermissionDeniedError,
} from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import type { GitCredentials } from '@wadi/git/remote/credentials.ts'
import { type ServerWay, wayBeside } from '@wadi/git/network/server-way.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { requireSeenVersion } from '@wadi/resources/store/seen-version.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { hostOf } from './named-hosts.ts'
import { gitCredentials, selectSecret, storedCredentials } from './repository-credentials.ts'
import {
  isPrefixType,
  isWriteType,
  readRepositorySecret,
  type RepositorySecret,
  unsupportedSignIn,
} from './repository-secret.ts'
import { namedSecret, signInAdvice } from './sign-in-advice.ts'
import { checkTrust, isTrustConfigMap, readServerTrust, trustConfigMaps, trustOf } from './server-trust.ts'

/**
 * The repositories of one service with their credentials: repo-server's to read, commit-server's to write. Each has a
 * store of its own, so no other process needs to be able to open it.
 */
export class RepositoryStore {
  #store: ResourceStore
  #purpose: 'read' | 'write'
  #namespace: string
  #keepsTrust: boolean
  #invalid: readonly InvalidInputError[] = []
  #unsupported: readonly string[] = []
  readonly #trial = new AsyncLocalStorage<{ secret: RepositorySecret; version: string }>()
  #read = new Map<string, { version: string; secret: RepositorySecret | InvalidInputError }>()

  /**
   * @param namespace of the Secrets; that of the control plane by default. Trusted certificates and keys are always in that of the control plane.
   * @param keepsTrust whether this service stores what is trusted; in a cluster others do
   */
  constructor(
    store: ResourceStore,
    purpose: 'read' | 'write',
    namespace: string = controlPlaneNamespace,
    keepsTrust = true,
  ) {
    this.#store = store
    this.#keepsTrust = keepsTrust
    this.#purpose = purpose
    this.#namespace = namespace
  }

  /** All stored repositories by URL, then project, without Secrets that cannot be read. */
  async list(): Promise<RepositorySecret[]> {
    const { items } = await this.#store.list('Secret', { namespace: this.#namespace })
    const secrets = items.map((resource) => this.#readOnce(resource))
    this.#invalid = secrets.filter((secret) => secret instanceof InvalidInputError)
    const usable = secrets.flatMap((secret) => (secret instanceof InvalidInputError ? [] : [secret]))
    this.#unsupported = usable.flatMap((secret) =>
      unsupportedSignIn(secret).map((field) => `Secret ${secret.name}: ${field}`),
    )
    const tried = this.#trial.getStore()?.secret
    const all = tried ? [...usable.filter(({ name }) => name !== tried.name), tried] : usable
    return all.toSorted((a, b) =>
      a.url === b.url ? byCodeUnits(a.project, b.project) : byCodeUnits(a.url, b.url),
    )
  }

  /** Why Secrets that somebody stored past this service are not used, as of the newest reading. */
  get invalid(): readonly InvalidInputError[] {
    return this.#invalid
  }

  /** The Secrets whose kind of sign-in is not supported, as of the newest reading. */
  get unsupported(): readonly string[] {
    return this.#unsupported
  }

  /** The credentials that are used for a repository; undefined when none are stored. */
  async credentialsFor(
    url: string,
    project: string,
    signal?: AbortSignal,
  ): Promise<GitCredentials | undefined> {
    const secret = selectSecret(await this.list(), url, project)
    return secret && this.credentialsOf(secret, signal)
  }

  /** Returns what git needs to use a Secret of this store; errors of a GitHub App name the Secret. */
  async credentialsOf(secret: RepositorySecret, signal?: AbortSignal): Promise<GitCredentials> {
    const wayTo = (url: string) => this.wayBeside(secret, url)
    return withContext(this.named(secret), () => gitCredentials(secret, { wayTo, signal }))
  }

  /**
   * Returns the way to a server that belongs to a repository, such as the API of its forge. @param secret undefined for
   * a repository without one
   */
  async wayBeside(secret: RepositorySecret | undefined, url: string): Promise<ServerWay> {
    const host = hostOf(url)
    const isOwnHost = secret !== undefined && hostOf(secret.url) === host
    return wayBeside(secret ? storedCredentials(secret) : {}, await this.trustFor(host), isOwnHost)
  }

  /**
   * Returns the way to a server that belongs to the repository at a URL, for a service that has no credentials itself.
   * @param url of the server
   */
  async wayFor(url: string, repoUrl: string, project: string): Promise<ServerWay> {
    return this.wayBeside(selectSecret(await this.list(), repoUrl, project), url)
  }

  /** Says which credentials a server did not accept, and what to do. @param secret the one that applies; undefined when none does */
  signInAdvice(secret: RepositorySecret | undefined): string {
    return signInAdvice(secret, this.#purpose, this.#namespace, this.#trial.getStore()?.secret)
  }

  /** Names a Secret of this store, by its namespace too. */
  named(secret: RepositorySecret): string {
    return namedSecret(secret, this.#namespace)
  }

  /**
   * Identifies the credentials that apply to a repository and what is trusted of its host without revealing them: another string after
   * each change; empty for none.
   */
  async identityFor(url: string, project: string): Promise<string> {
    const secret = selectSecret(await this.list(), url, project)
    const trusted = JSON.stringify(await this.trustFor(hostOf(url)))
    const trust =
      trusted === '{}' ? '' : createHash('sha256').update(trusted).digest('base64url').slice(0, 22)
    const names = [secret?.name, secret?.lender?.name].filter((name) => name !== undefined)
    const trial = this.#trial.getStore()
    const versionOf = (name: string) =>
      trial?.secret.name === name ? trial.version : this.#read.get(name)?.version
    const versions = names.map((name) => `${name}@${versionOf(name) ?? ''}`)
    return [...versions, trust].filter(Boolean).join(' ')
  }

  /** Returns what is trusted of a host, for repositories whose Secret says nothing else. @param host without port and brackets */
  async trustFor(host: string): Promise<GitCredentials> {
    const [certificates, knownHosts] = await Promise.all(
      trustConfigMaps.map((name) => this.#store.get('ConfigMap', controlPlaneNamespace, name)),
    )
    return trustOf(readServerTrust(certificates, knownHosts), host)
  }

  /**
   * Stores which servers are trusted.
   * @throws InvalidInputError for an object that does not say so
   */
  async putTrust(resource: Resource): Promise<void> {
    if (!isTrustConfigMap(resource))
      throw new InvalidInputError('the object does not say which servers are trusted')
    checkTrust(resource)
    if (!this.#keepsTrust) return
    const { apiVersion, kind, data = {}, metadata } = resource
    const { name } = metadata
    const stored = await this.#store.get('ConfigMap', controlPlaneNamespace, name)
    const next = { apiVersion, kind, data, metadata: { name, namespace: controlPlaneNamespace } }
    if (!stored) await this.#store.create(next)
    else await this.#store.update({ ...next, metadata: { ...next.metadata, ...pickVersion(stored) } })
  }

  /**
   * Checks a Secret without storing it.
   * @throws InvalidInputError when it is not one of this store's purpose, AlreadyExistsError when another Secret holds
   * the repository or, without `upsert`, when the stored one differs or is for another repository.
   */
  async check(resource: Resource, upsert: boolean): Promise<RepositorySecret> {
    const secret = readRepositorySecret(resource)
    if (isWriteType(secret.type) !== (this.#purpose === 'write')) {
      throw new InvalidInputError(
        `Secret ${secret.name} of type ${secret.type} is not for ${this.#purpose} access`,
      )
    }
    const all = await this.list()
    const twin = all.find((stored) => isSameRepository(stored, secret))
    if (twin && twin.name !== secret.name) {
      throw new AlreadyExistsError(
        `repository ${redactUrl(secret.url)} is stored already as Secret ${twin.name}; change or remove that one`,
      )
    }
    const namesake = all.find((stored) => stored.name === secret.name)
    if (namesake && !twin && !upsert) {
      throw new AlreadyExistsError(
        `Secret ${secret.name} is stored already for ${redactUrl(namesake.url)}; use upsert to replace it`,
      )
    }
    if (twin && !upsert && !hasEqualValues(twin, secret)) {
      throw new AlreadyExistsError(
        `repository ${redactUrl(secret.url)} is stored already and differs; use upsert to replace it`,
      )
    }
    return secret
  }

  /** Works as if a Secret that `check` accepted were stored, which for everybody else it is not. */
  async try<Result>(secret: RepositorySecret, work: () => Promise<Result>): Promise<Result> {
    return this.#trial.run({ secret, version: randomUUID() }, work)
  }

  /**
   * Stores a Secret that `check` accepted.
   * @throws ConflictError when it is not the one that its author saw; FailedPreconditionError where this service may not write Secrets
   */
  async put(resource: Resource): Promise<RepositorySecret> {
    const namespace = this.#namespace
    const wanted: Resource = { ...resource, metadata: { ...resource.metadata, namespace } }
    return this.#write(async () => {
      const stored = await this.stored(resource.metadata.name)
      requireSeenVersion(resource, stored)
      const result = stored
        ? await this.#store.update({ ...wanted, metadata: { ...wanted.metadata, ...pickVersion(stored) } })
        : await this.#store.create(wanted)
      return readRepositorySecret(result)
    })
  }

  /** Returns a Secret as it is stored. */
  async stored(name: string): Promise<Resource | undefined> {
    return await this.#store.get('Secret', this.#namespace, name)
  }

  /**
   * Forgets a repository or, when none has this very URL or with `isPrefix`, the credentials for all repositories below it.
   * @throws NotFoundError when neither is stored, ConflictError when it has another version than the one that was seen
   */
  async delete(url: string, project: string, version = '', isPrefix = false): Promise<void> {
    const wanted = normalizeRepositoryUrl(url)
    const candidates = (await this.list()).filter(
      (secret) => normalizeRepositoryUrl(secret.url) === wanted && secret.project === project,
    )
    const exact = isPrefix ? undefined : candidates.find((secret) => !isPrefixType(secret.type))
    const found = exact ?? candidates.find((secret) => isPrefixType(secret.type))
    if (!found) throw new NotFoundError(`repository ${redactUrl(url)} is not stored`)
    const seen = version === '' ? {} : { resourceVersion: version }
    await this.#write(() => this.#store.delete('Secret', this.#namespace, found.name, seen))
  }

  /** In a cluster the operator may keep the right to write Secrets to people. */
  async #write<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof PermissionDeniedError)) throw error
      throw new FailedPreconditionError(
        `the Secrets of repositories are managed in the cluster: apply this one in namespace ${this.#namespace}, or bind a role that lets the service write Secrets there`,
        { cause: error },
      )
    }
  }

  #readOnce(resource: Resource): RepositorySecret | InvalidInputError {
    const { name, resourceVersion = '' } = resource.metadata
    const known = this.#read.get(name)
    if (known?.version === resourceVersion) return known.secret
    const secret = readOrReject(resource)
    this.#read.set(name, { version: resourceVersion, secret })
    return secret
  }
}

/** Every caller gets what this returns, until the Secret changes. */
function readOrReject(resource: Resource): RepositorySecret | InvalidInputError {
  try {
    const secret = readRepositorySecret(resource)
    return Object.freeze({ ...secret, values: Object.freeze({ ...secret.values }) })
  } catch (error) {
    if (error instanceof InvalidInputError) return error
    throw error
  }
}

function pickVersion(stored: Resource): { resourceVersion?: string } {
  const { resourceVersion } = stored.metadata
  return resourceVersion === undefined ? {} : { resourceVersion }
}

function isSameRepository(a: RepositorySecret, b: RepositorySecret): boolean {
  return (
    a.type === b.type &&
    a.project === b.project &&
    normalizeRepositoryUrl(a.url) === normalizeRepositoryUrl(b.url)
  )
}

function hasEqualValues(a: RepositorySecret, b: RepositorySecret): boolean {
  const keys = new Set([...Object.keys(a.values), ...Object.keys(b.values)])
  return [...keys].every((key) => a.values[key] === b.values[key])
}
