import type { JsonObject } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { mutateStatus, type ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { repoURL } from '@wadi/application-sets/generator-fixture.ts'
import { policy, setOf, startUsersFixture, templateOf, type UsersFixture } from '../routes/users-fixture.ts'
import { reconcileSet, type SetPass } from './reconcile-set.ts'
import { authorCondition, conditionsOf } from '../access/author.ts'

/** The parts of an appset-service with passes over the set `set`, which `anna` wrote. */
export interface ReconcileFixture extends UsersFixture {
  pass(): Promise<SetPass | undefined>
  /** Sets the contents of the repository: directories of `apps`. */
  commit(sha: string, ...directories: string[]): void
  set(): Promise<Resource>
  /** The condition of the set as `<status> <reason>: <message>`; undefined when there is none. */
  condition(type: string): Promise<string | undefined>
}

/** Starts the parts around a repository with the directories `a` and `b` of `apps`. */
export async function startReconcileFixture(csv = policy): Promise<ReconcileFixture> {
  const users = await startUsersFixture(csv, { matches: { 'apps/*': ['apps/a', 'apps/b'] } })
  const { generation, context } = users
  const { signal } = new AbortController()
  const place = { namespace: 'argocd', name: 'set' }
  const set = async (): Promise<Resource> => {
    const stored = await generation.store.get('ApplicationSet', place.namespace, place.name)
    if (!stored) throw new Error('the set is gone')
    return stored
  }
  return {
    ...users,
    as: (...user) => {
      const calls = users.as(...user)
      return {
        ...calls,
        apply: async (...request) => {
          const answer = await calls.apply(...request)
          await forgetOutcome(generation.store)
          return answer
        },
      }
    },
    pass: () => reconcileSet(context, place, signal),
    commit: (sha, ...directories) => {
      const { repository } = generation
      repository.revisions = { HEAD: sha }
      repository.treeId = `tree of ${sha}`
      repository.matches = { 'apps/*': directories.map((name) => `apps/${name}`) }
    },
    set,
    condition: async (type) => conditionOf(await set(), type),
  }
}

/** Takes the outcome of what users did out of every status, so that it shows passes alone. */
async function forgetOutcome(store: ResourceStore): Promise<void> {
  const { items } = await store.list('ApplicationSet')
  for (const { metadata, status } of items) {
    if (status?.['conditions'] === undefined) continue
    await mutateStatus(store, 'ApplicationSet', 'argocd', metadata.name, (current) => ({
      ...current,
      status: { conditions: conditionsOf(current.status).filter(({ type }) => type === authorCondition) },
    }))
  }
}

/** A condition of a set as `<status> <reason>: <message>`; undefined when there is none. */
export function conditionOf({ status = {} }: Resource, wanted: string): string | undefined {
  const conditions = Array.isArray(status['conditions']) ? status['conditions'].filter(isJsonObject) : []
  const found = conditions.find(({ type }) => type === wanted)
  return found && `${String(found['status'])} ${String(found['reason'])}: ${String(found['message'])}`
}

/** A set of an Application for each directory of `apps`. */
export function gitSet(
  metadata: Record<string, unknown> = {},
  { git = {}, ...spec }: { git?: JsonObject; [field: string]: unknown } = {},
): JsonObject {
  const generator = { git: { repoURL, revision: 'HEAD', directories: [{ path: 'apps/*' }], ...git } }
  return setOf(
    {
      generators: [generator],
      template: templateOf('{{path.basename}}', 'dev'),
      ...(spec as JsonObject),
    },
    metadata,
  )
}
