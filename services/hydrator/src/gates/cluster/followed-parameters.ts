import { setTimeout as pause } from 'node:timers/promises'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import { type DomainError, InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { ApiResource } from '@wadi/kubernetes/client/api-resource.ts'
import type { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { Informer } from '@wadi/kubernetes/informer/informer.ts'
import type { KindTrouble } from '@wadi/kubernetes/store/followed-kind.ts'
import { keptObject } from '@wadi/kubernetes/store/kept-object.ts'
import { syncError, watchError } from '@wadi/kubernetes/store/sync-error.ts'

/** The objects that bindings choose as parameters. */
export interface ParameterChoice {
  readonly resource: ApiResource
  /** Default: all namespaces, and objects without one. */
  readonly namespace?: string
  readonly name?: string
  /** As in the Kubernetes API. */
  readonly labelSelector?: string
}

/** Changes of so long come together: each may have every branch looked at, and some objects are written every few seconds. */
const gatherMs = 5_000

/** Each choice is a watch of the cluster. */
const maxChoices = 200

/** The objects of a cluster that its policies take as parameters. Only those that are chosen are read. */
export class FollowedParameters implements AsyncDisposable {
  readonly #client: KubernetesClient
  readonly #gatherMs: number
  readonly #followed = new Map<string, FollowedChoice>()
  #wanted: ReadonlySet<string> = new Set()
  #change = Promise.withResolvers<void>()

  /** @param limit for tests: the time for which changes are gathered, in ms */
  constructor(client: KubernetesClient, limit = gatherMs) {
    this.#client = client
    this.#gatherMs = limit
  }

  /**
   * Returns the objects of each choice as JSON, or the reason why they cannot be read. Choices that neither this read nor the one before
   * has are not followed any more.
   * @throws UnavailableError if the API server does not answer, InvalidInputError above 200 choices
   */
  async read(choices: readonly ParameterChoice[]): Promise<readonly (readonly string[] | DomainError)[]> {
    const wanted = new Set(choices.map((choice) => JSON.stringify(choice)))
    if (wanted.size > maxChoices) {
      const reason = `the bindings of the cluster's policies choose parameters in ${wanted.size} ways, more than ${maxChoices}`
      throw new InvalidInputError(`${reason}; choose more of them by labels`)
    }
    // A read that is under way may wait for what was wanted before.
    for (const [key, followed] of this.#followed) {
      if (wanted.has(key) || this.#wanted.has(key)) continue
      this.#followed.delete(key)
      void followed[Symbol.asyncDispose]()
    }
    this.#wanted = wanted
    return Promise.all(choices.map((choice) => this.#follow(choice).read()))
  }

  /** Yields some seconds after changes of what was read, once for all since the last time. */
  async *changes(signal: AbortSignal): AsyncGenerator<void> {
    for (;;) {
      await untilAborted(this.#change.promise, signal).catch(() => undefined)
      await pause(this.#gatherMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      this.#change = Promise.withResolvers()
      yield
    }
  }

  /** The reasons why what is known may be old. */
  get troubles(): readonly KindTrouble[] {
    return [...this.#wanted].flatMap((key) => this.#followed.get(key)?.trouble ?? [])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#followed.values()].map((followed) => followed[Symbol.asyncDispose]()))
  }

  #follow(choice: ParameterChoice): FollowedChoice {
    const key = JSON.stringify(choice)
    const known = this.#followed.get(key)
    if (known) return known
    const made = new FollowedChoice(this.#client, choice, () => this.#change.resolve())
    this.#followed.set(key, made)
    return made
  }
}

class FollowedChoice implements AsyncDisposable {
  readonly #resource: ApiResource
  readonly #informer: Informer<string>
  readonly #firstAnswer = Promise.withResolvers<void>()

  constructor(client: KubernetesClient, choice: ParameterChoice, onChange: () => void) {
    const { resource, namespace, name, labelSelector } = choice
    this.#resource = resource
    this.#informer = new Informer({
      client,
      resource,
      ...(namespace !== undefined && { namespaces: [namespace] }),
      ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
      ...(labelSelector !== undefined && { labelSelector }),
      project: (object) => keptObject(object).text,
      // It is tried again, and `read` reports it.
      onError: () => this.#firstAnswer.resolve(),
    })
    this.#informer.onChange(onChange)
    this.#informer.synced().then(
      () => {
        this.#firstAnswer.resolve()
        onChange()
      },
      () => this.#firstAnswer.resolve(),
    )
  }

  async read(): Promise<readonly string[] | DomainError> {
    await this.#firstAnswer.promise
    const { isSynced, error } = this.#informer.trouble
    if (isSynced) return this.#informer.list()
    const reason = syncError(this.#resource, error, 0, 'list and watch')
    if (reason instanceof UnavailableError) throw reason
    return reason
  }

  get trouble(): KindTrouble | undefined {
    const { isSynced, error, since } = this.#informer.trouble
    if (!isSynced || error === undefined) return undefined
    const { kind } = this.#resource
    return { isListed: true, kind, since, error: watchError(this.#resource, error) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#informer[Symbol.asyncDispose]()
  }
}
