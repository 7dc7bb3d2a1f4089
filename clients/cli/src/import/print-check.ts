import type { JsonObject } from '@bufbuild/protobuf'
import { unifiedDiff } from '../applications/manifest-diff.ts'
import { printable, withoutTerminalControls } from '../output/printable.ts'
import type { CheckedApplication } from './check-import.ts'

const labels = { before: 'source', after: 'sourceHydrator' }
const givenLabels = { before: 'manifests of Argo CD', after: 'sourceHydrator' }

/** Returns a line for each Application, with the diff of the objects that differ below it. */
export function checkText(checked: readonly CheckedApplication[], isGiven: boolean): string {
  return checked
    .map((application) => {
      const { name, error, objects, differences } = application
      if (error !== undefined) return `${name}: not compared: ${printable(error)}\n`
      if (differences.length === 0) return `${name}: equal (${counted(objects)})\n`
      const diffs = differences.map((one) => unifiedDiff(one, isGiven ? givenLabels : labels)).join('')
      return `${name}: ${counted(differences.length)} of ${objects} differ\n${withoutTerminalControls(diffs)}\n`
    })
    .join('')
}

/** Returns a comparison as an object for scripts. */
export function checkObject(
  { name, error, objects, differences }: CheckedApplication,
  isGiven: boolean,
): JsonObject {
  const outcome = differences.length > 0 ? 'differs' : 'equal'
  return {
    name,
    outcome: error === undefined ? outcome : 'failed',
    objects,
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
