import { DomainError } from '@wadi/errors/domain-error.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import { checkedApplication } from '@wadi/resources/application/checked-application.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { plainSources } from '../applications/plain-sources.ts'
import { definitionNotes } from './definition-notes.ts'
import type { FoundObject } from './found-objects.ts'
import { specPathOf } from './found-objects.ts'
import { hydratedSpec } from './hydrated-spec.ts'
import type { PlanContext } from './override-readers.ts'
import type { ImportItem, ImportMove, StayReason } from './import-item.ts'
import { importNotes } from './import-notes.ts'
import { movedParameters, stayingParameters } from './moved-parameters.ts'
import { type PlannedSet, planSet } from './plan-set.ts'
import { planTakeOver } from './plan-take-over.ts'
import { setApplications } from './set-applications.ts'
import { unnamedReleases } from './release-names.ts'
import { type ImportRequest, releaseName, requiredFields, syncSourceFor } from './source-changes.ts'
import { isHydrated, ownerReasons, stayReasons } from './stay-reasons.ts'

/** Plans how an object moves. What is wrong with it is in the result. */
export async function planObject(
  found: FoundObject,
  request: ImportRequest,
  context: PlanContext,
): Promise<ImportItem> {
  const { manifest } = found
  const stays = (reasons: readonly StayReason[]): ImportItem => ({
    found,
    outcome: 'stays',
    reasons,
    notes: [],
    hydrated: [],
  })
  const isSet = manifest['kind'] === 'ApplicationSet'
  try {
    if (isHydrated(manifest)) {
      const { applications, unknown } = isSet
        ? await setApplications(manifest, context)
        : { applications: [manifest] }
      const made = { applications, ...(unknown !== undefined && { unknown }) }
      const { applications: hydrated, ...rest } = made
      const item: ImportItem = { ...stays([]), outcome: 'hydrated', hydrated, ...rest }
      const owned = request.takeOver ? ownerReasons(found) : []
      if (owned.length > 0) return stays(owned)
      const move = request.takeOver ? await planTakeOver(manifest, made, context) : undefined
      return move ? { ...item, outcome: 'moves', notes: definitionNotes(move.object), move } : item
    }
    const reasons = stayReasons(found)
    if (reasons.length > 0) return stays(reasons)
    const { unknown, ...move }: PlannedSet = isSet
      ? await planSet(manifest, request, context)
      : await planOne(found, request, context)
    const hydrated = move.applications.map(({ after }) => after)
    const notes = [...importNotes(manifest), ...definitionNotes(move.object), ...move.notes]
    return { found, outcome: 'moves', reasons: [], notes, move, hydrated, ...(unknown && { unknown }) }
  } catch (error) {
    if (!(error instanceof DomainError) || error.name === 'CanceledError') throw error
    const field = [...specPathOf(manifest), 'source']
    return stays(error.message.split('\n').map((reason) => ({ reason, field })))
  }
}

async function planOne(
  found: FoundObject,
  { rule, syncRepo, moveParameters }: ImportRequest,
  context: PlanContext,
): Promise<ImportMove> {
  const { manifest } = found
  const spec = objectAt(manifest, 'spec') as Manifest
  const syncSource = syncSourceFor(manifest, '', rule, syncRepo)
  const application = parseApplication(checkedResource(manifest))
  const name = textAt(manifest, 'metadata', 'name')
  const positions = await unnamedReleases(application, plainSources(spec), context)
  const fields = [...requiredFields(spec), ...positions.map((position) => releaseName(position, name))]
  const moved = moveParameters
    ? await movedParameters(found, application, fields, context)
    : stayingParameters(fields)
  const { changes, files, notes } = moved
  const object = { ...manifest, spec: hydratedSpec(spec, changes, syncSource) }
  checkedApplication(checkedResource(object))
  const applications = [{ before: manifest, after: object }]
  const releases = positions.length > 0 ? [name] : []
  return { syncSource, changes, releases, object, applications, notes, files }
}
