import { ConflictError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { requireDecidedVersion } from '@wadi/resources/decided-version.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { type Access, requireSet } from '../access/set-access.ts'
import { visibleSet } from '../access/visible-set.ts'
import type { AppsetServiceContext } from '../context.ts'
import { ownedApplications } from './owned-applications.ts'
import { areUnchanged, isUnchanged, type KnownChange, writeUnchanged } from './unchanged-object.ts'

/** A signal that never ends: a deletion that began is finished even if the caller leaves. */
const { signal: endless } = new AbortController()

/** Attempts at a deletion whose set or Applications change meanwhile. */
const attempts = 3

const maxNamed = 5

/** The set to delete, and the options. */
interface Deletion {
  namespace: string
  name: string
  orphan: boolean
  /** True when all is checked and nothing deleted. */
  dryRun: boolean
  /** The Applications that the caller was shown; undefined when nobody was shown any. */
  reviewed?: ReadonlySet<string>
  /** The version that the caller saw; empty for any. */
  version: string
}

/**
 * Deletes a set and its Applications, or with `orphan` leaves these owned by nobody, and returns their names. What the
 * set's policy says of Applications that are no longer generated has no effect here, as in Argo CD.
 * @throws NotFoundError for a set that does not exist or is not visible; PermissionDeniedError unless all of its
 *   Applications may be deleted; ConflictError when others change it all the time, or it is not what the
 *   caller saw, or it has Applications that the caller was not shown
 */
export async function deleteApplicationSet(
  context: Pick<AppsetServiceContext, 'store' | 'setLock' | 'events'>,
  access: Access,
  { namespace, name, orphan, dryRun, reviewed, version }: Deletion,
): Promise<string[]> {
  const { store } = context
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const stored = await visibleSet(context, access, namespace, name)
    const owned = await ownedApplications(store, stored)
    requireSet(access, 'delete', stored, owned)
    const names = owned.map(({ metadata }) => metadata.name)
    requireDecidedVersion(stored, version)
    requireReviewed(name, names, reviewed)
    if (dryRun) return names
    const isDone = await context.setLock.run(`${namespace}/${name}`, async () => {
      const now = await store.get('ApplicationSet', namespace, name)
      if (!now || !isUnchanged(stored, now) || !areUnchanged(owned, await ownedApplications(store, now))) {
        return false
      }
      const changes = owned.map((before): KnownChange =>
        orphan ? { before, after: withoutController(before, stored) } : { before },
      )
      // The set last, so that a failure leaves it, which says whose the other Applications are.
      await writeUnchanged(store, [...changes, { before: now }], endless)
      return true
    })
    if (!isDone) continue
    context.events.deleted(name, owned.length, orphan, access.subject.sub)
    return names
  }
  throw new ConflictError('the ApplicationSet or its Applications change all the time; try again')
}

function requireReviewed(
  set: string,
  names: readonly string[],
  reviewed: ReadonlySet<string> | undefined,
): void {
  const others = names.filter((name) => reviewed && !reviewed.has(name))
  if (others.length === 0) return
  throw new ConflictError(
    `ApplicationSet ${set} has more Applications than were shown: ${someInLine(others, maxNamed)}; nothing is deleted, try again`,
  )
}

function withoutController({ metadata, ...rest }: Resource, set: Resource): Resource {
  const { ownerReferences = [], ...kept } = metadata
  const others = ownerReferences.filter(({ uid }) => uid !== set.metadata.uid)
  return { ...rest, metadata: { ...kept, ...(others.length > 0 && { ownerReferences: others }) } }
}
