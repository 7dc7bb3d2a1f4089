import { once } from 'node:events'
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import type { ServiceImpl } from '@connectrpc/connect'
import type {
  ApplicationChangeSchema,
  ApplicationSetService,
  ListApplicationSetsRequest,
} from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'

/** The ApplicationSets of a server that keeps everything in memory, and what a test wants them to do. */
export class ApplicationSets {
  /** The sets by `namespace/name`. */
  readonly stored = new Map<string, JsonObject>()
  /** Each call that changes something, or would: `create a/b`, `dry-run a/b`, `delete a/b orphan`, `refresh a/b confirm`. */
  readonly calls: string[] = []
  /** The plans, and the Applications and versions of deleted sets, that the caller was shown before each change. */
  readonly reviewed: string[] = []
  /** The filters of each list. */
  readonly lists: Pick<ListApplicationSetsRequest, 'namespace' | 'selector' | 'projects'>[] = []
  /** The Applications that sets make, by the name of the set; another name is refused. */
  generated: Record<string, JsonObject[]> = {}
  /** The changes of the Applications by applying or refreshing. */
  changes: MessageInitShape<typeof ApplicationChangeSchema>[] = []
  /** The changes of a set by its name, in place of `changes` once there is one. */
  readonly changesOf = new Map<string, MessageInitShape<typeof ApplicationChangeSchema>[]>()
  /** The reason why deletions wait, unless they are confirmed. */
  withheld = ''
  /** Names of sets that are refused. */
  readonly refused = new Set<string>()
  /** States that a watch delivers after the present one, one stream each time. */
  readonly comingStates: JsonObject[] = []
  /** The number of requests for which a deleted set is still there. */
  lingers = 0

  /** The RPCs. */
  service(): ServiceImpl<typeof ApplicationSetService> {
    return {
      generateApplications: ({ applicationSet = {} }) => {
        const name = textAt(applicationSet, 'metadata', 'name')
        this.calls.push(`generate ${keyOf(applicationSet)}`)
        const applications = Object.hasOwn(this.generated, name) ? this.generated[name] : undefined
        if (applications) return { applications }
        throw new ConnectError('spec.generators[0] names no generator', Code.InvalidArgument)
      },
      applyApplicationSet: ({ applicationSet = {}, upsert, dryRun, confirmDeletions, reviewedPlan }) => {
        const key = keyOf(applicationSet)
        if (!dryRun) this.reviewed.push(reviewedPlan)
        const flags = [upsert && 'upsert', confirmDeletions && 'confirm'].filter(Boolean)
        this.calls.push([dryRun ? 'dry-run' : 'apply', key, ...flags].join(' '))
        return this.#apply(key, applicationSet, { upsert, dryRun, confirmDeletions })
      },
      deleteApplicationSet: ({ namespace, name, orphan, dryRun, reviewedApplications, version }) => {
        const key = `${namespace || 'argocd'}/${name}`
        this.#find(key)
        if (dryRun) return { applications: this.changes.map((change) => change.name ?? '') }
        this.reviewed.push(...reviewedApplications, ...(version === '' ? [] : [version]))
        this.calls.push(`delete ${key}${orphan ? ' orphan' : ''}`)
        if (this.lingers === 0) this.stored.delete(key)
        return { applications: this.changes.map((change) => change.name ?? '') }
      },
      getApplicationSet: ({ namespace, name }) => {
        const key = `${namespace || 'argocd'}/${name}`
        const applicationSet = this.#find(key)
        const wasDeleted = this.calls.some((call) => call.startsWith(`delete ${key}`))
        if (wasDeleted && --this.lingers === 0) this.stored.delete(key)
        return { applicationSet, version: `version of ${name}` }
      },
      listApplicationSets: ({ namespace, selector, projects }) => {
        this.lists.push({ namespace, selector, projects })
        return { applicationSets: [...this.stored.values()] }
      },
      watchApplicationSets: ({ namespace, name }, { signal }) => {
        return this.#watch(`${namespace || 'argocd'}/${name}`, signal)
      },
      refreshApplicationSet: ({ namespace, name, confirmDeletions, dryRun, reviewedPlan }) => {
        const key = `${namespace || 'argocd'}/${name}`
        const applicationSet = this.#find(key)
        if (dryRun) return { applicationSet, changes: this.changes, plan: `plan of ${name}` }
        this.reviewed.push(reviewedPlan)
        this.calls.push(`refresh ${key}${confirmDeletions ? ' confirm' : ''}`)
        const withheld = confirmDeletions ? '' : this.withheld
        return { applicationSet, changes: this.changes, withheld }
      },
    }
  }

  #apply(
    key: string,
    set: JsonObject,
    options: { upsert: boolean; dryRun: boolean; confirmDeletions: boolean },
  ) {
    const name = textAt(set, 'metadata', 'name')
    if (this.refused.has(name)) {
      throw new ConnectError(
        'permission denied: applications, create, default/x, sub: ada',
        Code.PermissionDenied,
      )
    }
    const stored = this.stored.get(key)
    const isEqual = JSON.stringify(stored?.['spec']) === JSON.stringify(set['spec'])
    const outcome = stored ? (isEqual ? 'unchanged' : 'updated') : 'created'
    if (outcome === 'updated' && !options.upsert) {
      const message = `existing ApplicationSet spec is different, use upsert flag to force update of ${name}`
      throw new ConnectError(message, Code.InvalidArgument)
    }
    const identity = { namespace: 'argocd', uid: `uid-${name}`, resourceVersion: '7' }
    const applicationSet: JsonObject = { ...stored, ...set }
    applicationSet['metadata'] = { ...identity, ...objectAt(set, 'metadata') }
    if (!options.dryRun) this.stored.set(key, applicationSet)
    const withheld = options.confirmDeletions ? '' : this.withheld
    const changes = this.changesOf.size === 0 ? this.changes : (this.changesOf.get(name) ?? [])
    return { applicationSet, outcome, changes, withheld, plan: `plan of ${name}` }
  }

  async *#watch(key: string, signal: AbortSignal) {
    yield { type: 'ADDED', applicationSet: this.#find(key) }
    for (const applicationSet of this.comingStates.splice(0, 1)) {
      this.stored.set(key, applicationSet)
      yield { type: 'MODIFIED', applicationSet }
    }
    // A stream that ends while more is to come: the command line must take it up again.
    if (this.comingStates.length === 0 && !signal.aborted) await once(signal, 'abort')
  }

  #find(key: string): JsonObject {
    const set = this.stored.get(key)
    if (set) return set
    throw new ConnectError(`ApplicationSet ${key} does not exist`, Code.NotFound)
  }
}

function keyOf(set: JsonObject): string {
  return `${textAt(set, 'metadata', 'namespace') || 'argocd'}/${textAt(set, 'metadata', 'name')}`
}
