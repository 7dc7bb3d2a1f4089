/** Objects of one cluster that several Applications of a branch make in several directories. */
export interface RepeatedObjects {
  /** A few of them, as `Deployment.apps shop/web`. */
  objects: string[]
  /** The number of them. */
  count: number
  /** Those that make all of them, sorted; `namespace/name`. */
  applications: string[]
  /** The number of those Applications, if not all are listed. */
  applicationCount: number
}

const maxNamed = 3

const warnings = new WeakMap<readonly RepeatedObjects[], ReadonlyMap<string, string[]>>()

/** The warnings of objects that others make too, by Application. */
export function repeatedWarnings(
  repeated: readonly RepeatedObjects[],
): ReadonlyMap<string, readonly string[]> {
  return warnings.getOrInsertComputed(repeated, () => {
    const found = new Map<string, string[]>()
    for (const { objects, count, applications, applicationCount } of repeated) {
      const shown = objects.slice(0, maxNamed)
      const what = shown.join(', ') + more(count - shown.length)
      for (const name of applications) {
        const others = applications.slice(0, maxNamed + 1).filter((other) => other !== name)
        const named = others.slice(0, maxNamed)
        const text =
          `${what} ${count === 1 ? 'is' : 'are'} also made by ${named.join(', ')}${more(applicationCount - 1 - named.length)}, ` +
          'so in the cluster each replaces what the other made: give them other names or namespaces (of a chart, helm.releaseName)'
        found.getOrInsertComputed(name, () => []).push(text)
      }
    }
    return found
  })
}

function more(count: number): string {
  return count > 0 ? ` and ${count} more` : ''
}

/** Returns the repeated objects that are left when only some Applications are there. */
export function repeatedAmong(
  repeated: readonly RepeatedObjects[],
  isThere: (application: string) => boolean,
): RepeatedObjects[] {
  return repeated.flatMap((one) => {
    const applications = one.applications.filter(isThere)
    const gone = one.applications.length - applications.length
    return applications.length > 1
      ? [{ ...one, applications, applicationCount: one.applicationCount - gone }]
      : []
  })
}
