import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceEvent, ResourcePatch } from '@wadi/resources/store/resource-store.ts'

/** The objects of a world as people see and change them, whatever keeps them. */
export interface WorldObjects {
  /** The version of the last change. */
  readonly version: string
  get(kind: string, namespace: string, name: string): Resource | undefined
  list(kind: string): Resource[]
  create(resource: Resource): Resource
  patch(current: Pick<Resource, 'kind' | 'metadata'>, patch: ResourcePatch): Resource
  delete(resource: Pick<Resource, 'kind' | 'metadata'>): void
  /** Calls back with each change of a kind from now on, in the step in which it happens. */
  onChange(kind: string, listener: (event: ResourceEvent) => void): void
}
