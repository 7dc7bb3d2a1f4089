import type { JsonObject } from '@bufbuild/protobuf'
import { unifiedDiff } from '../applications/manifest-diff.ts'
import { printable, withoutTerminalControls } from '../output/printable.ts'
import type { CheckedApplication, CheckedItem } from './check-import.ts'
import { placeText } from './collisions.ts'
import { keyOf, titleOf } from './found-objects.ts'
import type { ImportItem } from './import-item.ts'

const labels = { before: 'source', after: 'sourceHydrator' }
const givenLabels = { before: 'given manifests', after: 'sourceHydrator' }

/**
 * Returns lines for each Application, with the diff of the objects that differ below them, and for each set of which not all
 * are known. Where several have one name, as those of several control planes may, the lines have their places.
 */
export function checkText(checked: ReadonlyMap<ImportItem, CheckedItem>, isGiven: boolean): string {
  const names = Map.groupBy(
    [...checked.values()].flatMap(({ applications }) => applications),
    ({ name }) => name,
  )
  return Array.from(checked, ([{ found, move }, { applications, unknown }]) => {
    // A template makes several at one place, for several clusters.
    const branch = move?.template && move.syncSource.targetBranch
    const texts = applications.map((application) => {
      const { name } = application
      const places = [placeText(found), branch].filter((place) => place !== undefined)
      const isAlone = names.get(name)?.length === 1 || places.length === 0
      const title = isAlone ? name : `${name} (${places.join(', ')})`
      return applicationText({ ...application, name: title }, isGiven)
    })
    if (unknown !== undefined) texts.push(lineOf(titleOf(found.manifest), `not compared: ${unknown}`))
    return texts.join('')
  }).join('')
}

function applicationText(
  { name, error, objects, differences, notes }: CheckedApplication,
  isGiven: boolean,
): string {
  if (error !== undefined) return lineOf(name, `not compared: ${error}`)
  const noted = notes.map((note) => lineOf(name, note)).join('')
  if (differences.length === 0) return lineOf(name, `equal (${counted(objects)})`) + noted
  const diffs = differences.map((one) => unifiedDiff(one, isGiven ? givenLabels : labels)).join('')
  const line = lineOf(name, `${counted(differences.length)} of ${objects} differ`)
  return `${line}${noted}${withoutTerminalControls(diffs)}\n`
}

function lineOf(name: string, text: string): string {
  return `${printable(`${name}: ${text}`)}\n`
}

/** Returns the comparisons of an item as objects for scripts. */
export function checkObjects(
  { found }: Pick<ImportItem, 'found'>,
  { applications, unknown }: CheckedItem,
  isGiven: boolean,
): JsonObject[] {
  const compared = applications.map((application) => applicationObject(application, isGiven))
  if (unknown === undefined) return compared
  return [...compared, { name: keyOf(found.manifest), outcome: 'not compared', reason: unknown }]
}

function applicationObject(
  { name, error, objects, differences, notes }: CheckedApplication,
  isGiven: boolean,
): JsonObject {
  const outcome = differences.length > 0 ? 'differs' : 'equal'
  return {
    name,
    outcome: error === undefined ? outcome : 'failed',
    objects,
    notes: [...notes],
    ...(error !== undefined && { error }),
    differences: differences.map((one) => ({
      object: one.title,
      diff: unifiedDiff(one, isGiven ? givenLabels : labels).trimStart(),
    })),
  }
}

function counted(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`
}
