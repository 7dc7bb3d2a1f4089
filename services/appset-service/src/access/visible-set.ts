import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { ownedApplications } from '../changes/owned-applications.ts'
import { type Access, maySet } from './set-access.ts'

/**
 * The stored set that the caller may see.
 * @throws NotFoundError for one that does not exist, with the same text for one that may not be seen
 */
export async function visibleSet(
  { store }: { store: Pick<ResourceStore, 'get' | 'list'> },
  access: Access,
  namespace: string,
  name: string,
): Promise<Resource> {
  const stored = await store.get('ApplicationSet', namespace, name)
  if (stored && maySet(access, 'get', stored, await ownedApplications(store, stored))) return stored
  throw new NotFoundError(`ApplicationSet ${namespace}/${name} does not exist`)
}
