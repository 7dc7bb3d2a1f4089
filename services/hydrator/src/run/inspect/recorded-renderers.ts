import type { RecordedRenderers } from '@wadi/hydration/hydrated-branch.ts'
import type { FoundInList } from './inspect.ts'

/** As for warnings, these are less than 100 KiB of a record. */
const maxNames = 100 * 1024

/**
 * Returns how the Applications of a group are rendered, by their inspections: most of them first, without their names. Returns nothing
 * if it is not known of any, or if the names of the others take more than 100 KiB.
 */
export function recordedRenderers(lists: readonly FoundInList[]): RecordedRenderers[] {
  const recorded = new Map<string, Required<RecordedRenderers>>()
  for (const { list, findings } of lists) {
    for (const [index, { members }] of list.directories.entries()) {
      const { renderers = [], tools = [] } = findings.inspections.get(index) ?? {}
      const key = `${renderers.join()} ${tools.join()}`
      const { applications } = recorded.getOrInsertComputed(key, () => ({
        renderers,
        tools,
        applications: [],
      }))
      for (const { name } of members) applications.push(name)
    }
  }
  const [most, ...others] = [...recorded.values()].toSorted(
    (one, other) => other.applications.length - one.applications.length,
  )
  if (!most || (most.renderers.length === 0 && others.length === 0)) return []
  const { applications: _most, ...rest } = most
  const length = others
    .flatMap(({ applications }) => applications)
    .reduce((sum, name) => sum + name.length, 0)
  if (length > maxNames) return []
  return [rest, ...others.map((one) => ({ ...one, applications: one.applications.toSorted() }))]
}
