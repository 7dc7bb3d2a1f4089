import { Buffer } from 'node:buffer'
import { AlreadyExistsError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import {
  mutate,
  mutateStatus,
  type ResourceList,
  type ResourceStore,
} from '@wadi/resources/store/resource-store.ts'
import { dropTokensOfRemovedRoles } from './project-tokens.ts'

/** ConfigMap with the accounts and the rules of sign-in, as Argo CD has it. */
export const accountsConfigMap = 'argocd-cm'

/** Secret with the passwords and the API keys of the accounts, as Argo CD has it. */
export const accountsSecret = 'argocd-secret'

/** Secret with the keys that sign tokens. */
export const sessionKeysSecret = 'wadi-session-keys'

/** Secret with the sessions that ended before their tokens did. */
export const revokedTokensSecret = 'wadi-revoked-tokens'

/** The Secrets of sign-in that are followed. */
export const followedSecrets: readonly string[] = [accountsSecret, sessionKeysSecret, revokedTokensSecret]

/** The values of a Secret as text. */
export type SecretTexts = Map<string, string>

/**
 * The objects that decide who may sign in and which tokens are valid. What another process changes is seen as soon as the
 * store delivers it; what this process changes applies at once.
 */
export interface SignInObjects extends AsyncDisposable {
  readonly store: ResourceStore
  /** The values of the ConfigMap `argocd-cm`. */
  readonly config: Readonly<Record<string, string>>
  /** Returns the values of a followed Secret; the same map until the Secret changes. */
  secret(name: string): ReadonlyMap<string, string>
  project(name: string): Resource | undefined
  projects(): Iterable<Resource>
  /**
   * Changes the values of a followed Secret, which is made when it is not there. `change` works on its argument, and
   * runs again when somebody was faster.
   */
  changeSecret(name: string, change: (texts: SecretTexts) => void): Promise<void>
  /** Replaces the spec or the status of a project by what `change` returns. @throws NotFoundError without the project */
  changeProject(
    name: string,
    part: 'spec' | 'status',
    change: (project: Resource) => Record<string, unknown>,
  ): Promise<void>
}

/** Reads the objects of sign-in and follows their changes until disposed. */
export async function followSignInObjects(store: ResourceStore): Promise<SignInObjects> {
  const state = new SignInState()
  const end = new AbortController()
  const lists = await Promise.all(
    ['ConfigMap', 'Secret', 'AppProject'].map(async (kind) => {
      const { items, resourceVersion } = await store.list(kind, { namespace: controlPlaneNamespace })
      for (const resource of items) state.put(resource)
      return { kind, items, resourceVersion }
    }),
  )
  const followed = Promise.all(lists.map((list) => follow(store, state, list, end.signal)))
  return {
    store,
    get config() {
      return state.config
    },
    secret: (name) => state.secrets.get(name) ?? noTexts,
    project: (name) => state.projects.get(name),
    projects: () => state.projects.values(),
    changeSecret: async (name, change) => state.put(await changeSecret(store, name, change)),
    changeProject: async (name, part, change) => {
      const write = part === 'spec' ? mutate : mutateStatus
      const changed = (project: Resource): Resource => ({ ...project, [part]: change(project) })
      state.put(await write(store, 'AppProject', controlPlaneNamespace, name, changed))
    },
    [Symbol.asyncDispose]: async () => {
      end.abort()
      await followed
    },
  }
}

/** Goes on from the moment of the list, so that what is deleted in between is noticed too. */
async function follow(
  store: ResourceStore,
  state: SignInState,
  { kind, items, resourceVersion }: { kind: string } & ResourceList,
  signal: AbortSignal,
): Promise<void> {
  for (const resource of items) await dropTokens(store, resource)
  for await (const event of store.watch(kind, { fromResourceVersion: resourceVersion, signal })) {
    const { type, resource } = event
    if (resource.metadata.namespace !== controlPlaneNamespace) continue
    if (type === 'deleted') state.remove(resource)
    else {
      state.put(resource)
      await dropTokens(store, resource)
    }
  }
}

async function dropTokens(store: ResourceStore, resource: Resource): Promise<void> {
  if (resource.kind === 'AppProject') await dropTokensOfRemovedRoles(store, resource)
}

const noTexts: ReadonlyMap<string, string> = new Map()

class SignInState {
  config: Readonly<Record<string, string>> = {}
  readonly secrets = new Map<string, ReadonlyMap<string, string>>()
  readonly projects = new Map<string, Resource>()

  put(resource: Resource): void {
    const { name } = resource.metadata
    if (resource.kind === 'AppProject') this.projects.set(name, resource)
    else if (resource.kind === 'Secret' && followedSecrets.includes(name)) {
      this.secrets.set(name, textsOf(resource))
    } else if (resource.kind === 'ConfigMap' && name === accountsConfigMap) {
      this.config = resource.data ?? {}
    }
  }

  remove({ kind, metadata: { name } }: Resource): void {
    if (kind === 'AppProject') this.projects.delete(name)
    else if (kind === 'Secret') this.secrets.delete(name)
    else if (kind === 'ConfigMap' && name === accountsConfigMap) this.config = {}
  }
}

async function changeSecret(
  store: ResourceStore,
  name: string,
  change: (texts: SecretTexts) => void,
): Promise<Resource> {
  const changed = (resource: Resource): Resource => {
    const before = textsOf(resource)
    const texts = new Map(before)
    change(texts)
    const stored = new Map(Object.entries(resource.data ?? {}))
    // What stays the same is kept as it is: it need not be text.
    const data = [...texts].map(([key, text]) => [
      key,
      before.get(key) === text ? stored.get(key) : Buffer.from(text).toString('base64'),
    ])
    return { ...resource, data: Object.fromEntries(data) }
  }
  if (!(await store.get('Secret', controlPlaneNamespace, name))) {
    try {
      return await store.create(changed(newSecret(name)))
    } catch (error) {
      if (!(error instanceof AlreadyExistsError)) throw error
    }
  }
  return mutate(store, 'Secret', controlPlaneNamespace, name, changed)
}

/** Argo CD looks at Secrets with this label alone. */
function newSecret(name: string): Resource {
  const labels = { 'app.kubernetes.io/part-of': 'argocd' }
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: controlPlaneNamespace, labels } }
}

function textsOf({ data }: Resource): SecretTexts {
  const entries = Object.entries(data ?? {})
  return new Map(entries.map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]))
}
