import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { byName } from '@wadi/order/by-name.ts'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { hydratedSpecOf } from '@wadi/hydration/application-status.ts'
import { specForm } from '@wadi/hydration/same-spec.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { manifestGeneratePathsAnnotation } from '@wadi/hydration/source-message.ts'
import {
  type Application,
  applicationName,
  hydratedBranchOf,
  objectName,
  parseApplication,
  type SourceHydrator,
} from '@wadi/resources/application/application.ts'
import { checkedApplication } from '@wadi/resources/application/checked-application.ts'
import { isBeingDeleted, type Resource, resourceKey } from '@wadi/resources/resource.ts'
import { type ForeignOperation, foreignOperationOf } from './foreign-operation.ts'
import { requestIdOf, requestOf } from '@wadi/resources/application/hydration-request.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'

/** An Application that is hydrated, with what every run needs of it computed once per change. */
export interface Member {
  /** `namespace/name`. */
  name: string
  /** Without what no run needs: other metadata than its name and namespace, annotations that decide nothing, its sync policy. */
  application: Application
  spec: SourceHydrator
  /** The error that `checkedApplication` finds in an object that was stored past it, so that it is not rendered; empty if it is valid. */
  error: string
  /** Digest of everything of the Application that decides the output. */
  digest: string
  /** Digest of the spec under which it was last hydrated; empty for never. */
  markedSpec: string
  /** Digest of the spec now. */
  currentSpec: string
  /** Keys of the branches that it has files on: the one that it is hydrated to and the one that is deployed from. */
  branchKeys: string[]
  /** Clean `syncSource.path`; the path as it is when it is not valid. */
  path: string
  /** The hydration that users request with an annotation: `hard` or `normal`; empty without a request. */
  request: string
  /** Tells this request from another of the same kind; empty when there is none. */
  requestId: string
  /** The newest hydration, if somebody else did it; undefined otherwise. */
  foreignOperation?: ForeignOperation
}

/**
 * The hydrated Applications by branch, without those that are being deleted, kept up to date by a watch, so that a run costs no listing. Tells which branches
 * a change concerns; of an Application that moves between branches, both.
 */
export class ApplicationIndex {
  #members = new Map<string, { key: string; member: Member }>()
  #branches = new Map<string, Map<string, Member>>()
  /** The members of branches in their order, until one of them changes. */
  #sorted = new Map<string, readonly Member[]>()
  #onChange: (branchKey: string) => void
  #onInvalid: (name: string, message: string) => void
  /** Errors of the Applications that cannot be read, by their keys. */
  #unreadable = new Map<string, string>()

  constructor(listeners: {
    onChange: (branchKey: string) => void
    /** Told of an Application that cannot be read; it is not a member of any branch then. */
    onInvalid: (name: string, message: string) => void
  }) {
    this.#onChange = listeners.onChange
    this.#onInvalid = listeners.onInvalid
  }

  /** Reads all Applications, then follows the changes until the signal ends; `loaded` is called once in between. */
  async follow(store: ResourceStore, signal: AbortSignal, loaded: () => void): Promise<void> {
    const { items, resourceVersion } = await store.list('Application')
    for (const resource of items) this.#put(resource)
    loaded()
    for await (const event of store.watch('Application', {
      fromResourceVersion: resourceVersion,
      signal,
    })) {
      if (event.type === 'deleted') {
        const id = resourceKey(event.resource)
        this.#unreadable.delete(id)
        this.#remove(id)
      } else {
        this.#put(event.resource)
      }
    }
  }

  /**
   * The members of a branch in order of their names: the same list until a member comes, goes or changes, so that what follows from it
   * alone is computed once.
   */
  members(key: string): readonly Member[] {
    const branch = this.#branches.get(key)
    return branch ? this.#sorted.getOrInsertComputed(key, () => [...branch.values()].toSorted(byName)) : []
  }

  /**
   * The clean paths that are not Wadi's to remove from a branch: those of Applications with files there, also when they
   * deploy from it and are hydrated to another one, and those of their neighbours on that other one, which a staging
   * branch starts with.
   */
  claimedPaths(key: string): Set<string> {
    const members = [...this.#members.values()].map((entry) => entry.member)
    const here = members.filter((member) => member.branchKeys.includes(key))
    const related = new Set([key, ...here.flatMap((member) => member.branchKeys)])
    const claiming = members.filter((member) => member.branchKeys.some((branch) => related.has(branch)))
    return new Set(claiming.map((member) => member.path))
  }

  /** True if an Application cannot be read, so that nobody knows what it claims. */
  get hasUnreadable(): boolean {
    return this.#unreadable.size > 0
  }

  /** Says how many Applications cannot be read and why the first cannot; undefined when all can. */
  warning(): string | undefined {
    const [first] = this.#unreadable.values()
    if (first === undefined) return undefined
    return `${this.#unreadable.size} cannot be read and are not hydrated; fix them, first ${first}`
  }

  /** The keys of all branches that have members. */
  branchKeys(): string[] {
    return [...this.#branches.keys()]
  }

  /** The key of the branch that an Application is hydrated to; undefined for one that is not hydrated or not known. */
  branchOf(namespace: string, name: string): string | undefined {
    return this.#members.get(`Application/${namespace}/${name}`)?.key
  }

  #put(resource: Resource): void {
    const id = resourceKey(resource)
    const known = this.#members.get(id)
    this.#unreadable.delete(id)
    const entry = this.#read(resource)
    if (known && known.key !== entry?.key) this.#remove(id)
    if (!entry || isDeepStrictEqual(known, entry)) return
    this.#members.set(id, entry)
    this.#sorted.delete(entry.key)
    let branch = this.#branches.get(entry.key)
    if (!branch) this.#branches.set(entry.key, (branch = new Map()))
    branch.set(id, entry.member)
    const { digest, requestId, foreignOperation } = entry.member
    const isForeign =
      foreignOperation !== undefined &&
      foreignOperation.startedAt !== known?.member.foreignOperation?.startedAt
    const asked = requestId !== '' && requestId !== known?.member.requestId
    if (asked || isForeign || known?.member.digest !== digest || known.key !== entry.key)
      this.#onChange(entry.key)
  }

  #remove(id: string): void {
    const known = this.#members.get(id)
    if (!known) return
    this.#members.delete(id)
    this.#sorted.delete(known.key)
    const branch = this.#branches.get(known.key)
    branch?.delete(id)
    if (branch?.size === 0) this.#branches.delete(known.key)
    this.#onChange(known.key)
  }

  #read(resource: Resource): { key: string; member: Member } | undefined {
    if (isBeingDeleted(resource)) return undefined
    let application: Application
    try {
      application = parseApplication(resource)
    } catch (error) {
      const name = `${resource.metadata.namespace ?? ''}/${resource.metadata.name}`
      this.#unreadable.set(resourceKey(resource), `${name}: ${errorMessage(error)}`)
      this.#onInvalid(name, errorMessage(error))
      return undefined
    }
    const branch = hydratedBranchOf(application)
    if (!application.hydrated || !branch) return undefined
    const spec = application.hydrated
    const foreignOperation = foreignOperationOf(resource)
    const marked = hydratedSpecOf(resource.status)
    const { project, destination, annotations } = application
    const deciding = Object.entries(annotations).filter(
      ([key]) => key.startsWith('wadi.dev/') || key === manifestGeneratePathsAnnotation,
    )
    const member = {
      name: applicationName(application),
      application: withoutRest(application, Object.fromEntries(deciding)),
      spec,
      error: errorOf(resource),
      digest: digestOf([spec, project, destination, deciding]),
      markedSpec: marked ? digestOf(specForm(marked)) : '',
      currentSpec: digestOf(specForm(spec)),
      branchKeys: [
        branchKey(branch.repoUrl, branch.branch),
        branchKey(branch.repoUrl, spec.syncSource.targetBranch),
      ],
      path: cleanedPath(spec.syncSource.path),
      request: requestOf(annotations),
      requestId: requestIdOf(annotations),
      ...(foreignOperation && { foreignOperation }),
    }
    return { key: branchKey(branch.repoUrl, branch.branch), member }
  }
}

/** Returns the parts of an Application that runs need: thousands are kept, and managed fields and foreign annotations may be long. */
function withoutRest(
  { metadata: { name, namespace }, syncPolicy: _syncPolicy, ...application }: Application,
  annotations: Record<string, string>,
): Application {
  return { ...application, metadata: { name, ...(namespace !== undefined && { namespace }) }, annotations }
}

function errorOf(resource: Resource): string {
  try {
    checkedApplication(resource)
    return ''
  } catch (error) {
    if (error instanceof InvalidInputError) {
      const subject = `Application ${objectName(resource.metadata)}`
      return error.with({ context: error.context.filter((context) => context !== subject) }).message
    }
    throw error
  }
}

/** The clean form of a path on a branch; the path as it is when it is not valid. */
export function cleanedPath(path: string): string {
  try {
    return cleanDestinationPath(path)
  } catch (error) {
    if (error instanceof InvalidInputError) return path
    throw error
  }
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 22)
}
