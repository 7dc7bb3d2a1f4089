import { isDeepStrictEqual } from 'node:util'
import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { checkedApplication } from '@wadi/resources/application/checked-application.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { definitionNotes } from '../definition-notes.ts'
import type { FoundObject } from '../found-objects.ts'
import type { ImportContext } from '../import-context.ts'
import type { ImportItem } from '../import-item.ts'
import { importNotes } from '../import-notes.ts'
import type { ImportRequest } from '../source-changes.ts'
import { isHydrated, stayReasons } from '../stay-reasons.ts'
import type { MarkedDocument } from './marked-templates.ts'
import { expectedObject, isReleaseName, planDocument, type PlannedDocument } from './plan-document.ts'
import { stayingItem } from './together-or-not.ts'

/** Items that are known before the templates are changed, or the change that makes them. */
export type PlannedItems = { readonly items: readonly ImportItem[] } | PlannedDocument

/** Plans how the Applications that are made of a document move. What is wrong with them is in the result. */
export async function planMade(
  document: MarkedDocument,
  made: readonly Manifest[],
  request: ImportRequest,
  context: ImportContext,
): Promise<PlannedItems> {
  const found = made.map((manifest) => foundIn(document, manifest))
  if (made.every(isHydrated)) {
    const items = found.map((object): ImportItem => {
      const hydrated = [object.manifest]
      return { found: object, outcome: 'hydrated', reasons: [], notes: [], hydrated }
    })
    return { items }
  }
  const stay = (reason: string): PlannedItems => ({ items: found.map((one) => stayingItem(one, reason)) })
  const [reason] = found.flatMap((object) => stayReasons(object))
  if (reason) return stay(reason.reason)
  try {
    return await planDocument(document, made, request, context)
  } catch (error) {
    if (!(error instanceof DomainError) || error.name === 'CanceledError') throw error
    return stay(error.message)
  }
}

/**
 * Returns the items of a document.
 * @param results what is made of it after the change: unless that is what must be, nothing of it moves
 */
export function itemsOf(
  document: MarkedDocument,
  planned: PlannedItems,
  results: readonly Manifest[],
): readonly ImportItem[] {
  if ('items' in planned) return planned.items
  const { splice, applications } = planned
  const moved = applications.map((application) => ({
    ...application,
    after: results.find((result) => isDeepStrictEqual(result, expectedObject(application, result))),
  }))
  try {
    return moved.map(({ before, after, changes }) => {
      if (!after) throw new InvalidInputError(notChanged)
      const { syncSource } = checkedApplication(checkedResource(after)).hydrated ?? {}
      if (!syncSource) throw new InvalidInputError(notChanged)
      return {
        found: foundIn(document, before),
        outcome: 'moves',
        reasons: [],
        notes: [...importNotes(before), ...definitionNotes(after)],
        hydrated: [after],
        move: {
          syncSource,
          changes,
          releases: changes.some(isReleaseName) ? [textAt(before, 'metadata', 'name')] : [],
          template: { file: document.file, splice },
          object: after,
          applications: [{ before, after }],
          notes: [],
          files: [],
        },
      }
    })
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return applications.map(({ before }) => stayingItem(foundIn(document, before), error.message))
  }
}

const notChanged =
  'its template cannot be changed in place, as actions decide the source or what is around it; replace its source by sourceHydrator by hand'

function foundIn({ file, line }: MarkedDocument, manifest: Manifest): FoundObject {
  return { manifest, origin: { file, place: { document: -1, line } } }
}
