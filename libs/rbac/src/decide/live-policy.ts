import { errorMessage } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceEvent, ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { Enforcer } from './enforcer.ts'
import { projectPolicy } from '../projects/project-policy.ts'
import type { ProjectPolicy } from '../projects/project-policy.ts'
import { readPolicyConfig } from '../policy/read-policy-config.ts'
import type { PolicyConfig } from '../policy/read-policy-config.ts'

/** The policy as it is now: that of the ConfigMap `argocd-rbac-cm` and of all AppProjects. */
export interface LivePolicy extends AsyncDisposable {
  /** Decides by the policy of this moment; ask for it again for each call. */
  readonly enforcer: Enforcer
  /** The configuration by which `enforcer` decides, without the projects. */
  readonly config: PolicyConfig
  /** Why the stored policy cannot be read, one line for each error; the last readable one applies then. */
  readonly error: string | undefined
  /** True if no policy could be read since the start, so that only the built-in roles apply. */
  readonly isMissing: boolean
}

/** The ConfigMap with the policy. */
export const policyConfigMap = 'argocd-rbac-cm'

/**
 * Reads the policy and follows its changes until it is disposed.
 * @param onError is called with the error of every policy that cannot be read, and of projects whose roles cannot be read.
 */
export async function followPolicy(
  store: Pick<ResourceStore, 'list' | 'watch'>,
  onError: (error: string) => void,
): Promise<LivePolicy> {
  const state = new PolicyState(onError)
  const end = new AbortController()
  const changes = await Promise.all(
    ['ConfigMap', 'AppProject'].map(async (kind) => {
      const { items, resourceVersion } = await store.list(kind, { namespace: controlPlaneNamespace })
      for (const resource of items) state.put(resource)
      return store.watch(kind, { fromResourceVersion: resourceVersion, signal: end.signal })
    }),
  )
  const followed = Promise.all(changes.map((events) => follow(events, state)))
  return {
    get enforcer() {
      return state.enforcer
    },
    get config() {
      return state.config
    },
    get error() {
      return state.error
    },
    get isMissing() {
      return state.isMissing
    },
    [Symbol.asyncDispose]: async () => {
      end.abort()
      await followed
    },
  }
}

async function follow(events: AsyncIterable<ResourceEvent>, state: PolicyState): Promise<void> {
  for await (const { type, resource } of events) {
    if (type === 'deleted') state.remove(resource)
    else state.put(resource)
  }
}

class PolicyState {
  config: PolicyConfig = readPolicyConfig({})
  error: string | undefined
  isMissing = false
  readonly #onError: (error: string) => void
  readonly #projects = new Map<string, ProjectPolicy>()
  #hasReadable = false
  #enforcer: Enforcer | undefined

  constructor(onError: (error: string) => void) {
    this.#onError = onError
  }

  get enforcer(): Enforcer {
    this.#enforcer ??= new Enforcer(this.config, [...this.#projects.values()])
    return this.#enforcer
  }

  put(resource: Resource): void {
    const { kind, metadata } = resource
    if (metadata.namespace !== controlPlaneNamespace) return
    if (kind === 'AppProject') this.#putProject(resource)
    else if (metadata.name === policyConfigMap) this.#readConfig(resource.data ?? {})
  }

  remove({ kind, metadata }: Resource): void {
    if (metadata.namespace !== controlPlaneNamespace) return
    if (kind === 'AppProject') {
      this.#projects.delete(metadata.name)
      this.#enforcer = undefined
    } else if (metadata.name === policyConfigMap) {
      this.#readConfig({})
    }
  }

  #putProject(resource: Resource): void {
    const policy = projectPolicy(resource)
    const { name, error } = policy
    if (error !== undefined && error !== this.#projects.get(name)?.error) this.#onError(error)
    this.#projects.set(name, policy)
    this.#enforcer = undefined
  }

  #readConfig(data: Record<string, string>): void {
    try {
      this.config = readPolicyConfig(data, (key) => ({ source: `${policyConfigMap} ${key}`, firstLine: 1 }))
      this.error = undefined
      this.isMissing = false
      this.#hasReadable = true
      this.#enforcer = undefined
    } catch (error) {
      const message = errorMessage(error)
      if (message !== this.error) this.#onError(message)
      this.error = message
      this.isMissing = !this.#hasReadable
    }
  }
}
