import type { JsonObject } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'
import type { WatchApplicationSetsResponse } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { t } from '../../language/t.ts'

/** The kinds of generators of a set, `list` and `git` for example, in the order of the set. */
export function generatorNames(set: JsonObject): string[] {
  return listAt(set, 'spec', 'generators').flatMap((generator) =>
    isJsonObject(generator) ? Object.keys(generator).filter((key) => key !== 'selector') : [],
  )
}

/** Returns the errors of applying a set, from its conditions; empty if there are none. */
export function setErrors(set: JsonObject): string[] {
  return listAt(set, 'status', 'conditions')
    .filter(
      (condition) => textAt(condition, 'type') === 'ErrorOccurred' && textAt(condition, 'status') === 'True',
    )
    .map((condition) => textAt(condition, 'message'))
}

const countTexts: Readonly<Record<string, (count: number) => string>> = {
  create: (count) => t('{count, number} created', { count }),
  update: (count) => t('{count, number} updated', { count }),
  delete: (count) => t('{count, number} deleted', { count }),
  keep: (count) => t('{count, number} kept', { count }),
  unchanged: (count) => t('{count, number} unchanged', { count }),
}

/** Returns the counts of a dry run in words: `3 created, 1 deleted, 12 unchanged`. */
export function changeCounts(actions: readonly string[]): string {
  const counts = Map.groupBy(actions, (action) => action)
  const texts = [...counts].map(([action, { length }]) => countTexts[action]?.(length) ?? action)
  return texts.length === 0 ? t('no Applications') : texts.join(', ')
}

/** Returns the sets after a change that the server reported, by namespace and name. */
export function setsAfter(
  sets: readonly JsonObject[],
  { type, applicationSet }: Pick<WatchApplicationSetsResponse, 'type' | 'applicationSet'>,
): JsonObject[] {
  if (!applicationSet) return [...sets]
  const key = keyOf(applicationSet)
  const others = sets.filter((set) => keyOf(set) !== key)
  const all = type === 'DELETED' ? others : [...others, applicationSet]
  return all.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

function keyOf(set: JsonObject): string {
  return `${textAt(set, 'metadata', 'namespace')}/${textAt(set, 'metadata', 'name')}`
}
