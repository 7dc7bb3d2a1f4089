import type { Resource } from '@wadi/resources/resource.ts'

/** From where on deletions of one run wait for a confirmation: both have to be exceeded. */
export interface DeletionLimits {
  /** Percent of the Applications that the set owns. */
  share: number
  /** Applications. */
  count: number
}

/** The numbers of Applications of a set of which some are no longer generated. */
interface Deletions {
  set: Resource
  generated: number
  owned: number
  deleted: number
}

const allowEmptyAnnotation = 'wadi.dev/allow-empty'

/**
 * Returns why the deletions need a confirmation and what to do, for users; empty if they do not. An empty result deletes
 * nothing unless the set's annotation `wadi.dev/allow-empty` is "true".
 */
export function whyWithheld(deletions: Deletions, { share, count }: DeletionLimits): string {
  const { set, generated, owned, deleted } = deletions
  if (deleted === 0) return ''
  const { name, annotations = {} } = set.metadata
  const confirm = `to delete them run: wadi appset refresh ${name} --confirm`
  if (generated === 0) {
    if (annotations[allowEmptyAnnotation] === 'true') return ''
    return (
      `${deleted} of ${owned} Applications stay: the generators yield nothing, and an empty result deletes nothing ` +
      `without the annotation ${allowEmptyAnnotation}: "true"; ${confirm}`
    )
  }
  if (deleted <= count || deleted * 100 <= owned * share) return ''
  return (
    `${deleted} of ${owned} Applications stay: they are generated no longer, and more than ${count} and more than ` +
    `${share} % of a set are deleted only when somebody confirms it; ${confirm}`
  )
}
