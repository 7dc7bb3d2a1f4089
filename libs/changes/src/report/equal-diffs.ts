import type { ApplicationChanges, ObjectChange } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { branchesOf, counted, objectDiff, objectTitle, qualifiedName, type Report } from './report.ts'

/** An object that differs, and where. */
interface PlacedChange {
  readonly branch: string
  readonly application: ApplicationChanges
  readonly object: ObjectChange
}

/** A diff that is shown once. */
export interface ShownDiff extends PlacedChange {
  /** The diff itself. */
  readonly text: string
  /** Objects of other Applications in which the same lines change, such as those of a chart that many use. */
  readonly others: readonly PlacedChange[]
}

/** Longer texts are rarely the same, and to look costs time. */
const maxCompared = 256 * 1024

/** The diffs of a comparison in their order; of those that are equal in several Applications the first, with the others beside it. */
export function shownDiffs(report: Report): ShownDiff[] {
  const shown = new Map<string, ShownDiff & { others: PlacedChange[] }>()
  const texts = new Map<string, string>()
  for (const { branch, applications } of branchesOf(report)) {
    for (const application of applications) {
      const seen = new Map<string, number>()
      for (const object of application.objects) {
        const pair = `${object.before}\0${object.after}\0${object.truncated}`
        const text = texts.getOrInsertComputed(pair, () => objectDiff(object, report))
        const kind = [
          object.change,
          object.identity?.group,
          object.identity?.kind,
          object.file,
          withoutOwnContext(text),
        ]
        const isLong = object.truncated || pair.length > maxCompared
        const same = isLong ? `${shown.size}` : JSON.stringify(kind)
        // Two of one Application are never the same thing.
        const nth = seen.get(same) ?? 0
        seen.set(same, nth + 1)
        const key = `${nth} ${same}`
        const first = shown.get(key)
        if (first) first.others.push({ branch, application, object })
        else shown.set(key, { branch, application, object, text, others: [] })
      }
    }
  }
  return [...shown.values()]
}

/** A diff without the values of lines that stay, in which objects of one chart differ by their names. */
function withoutOwnContext(text: string): string {
  return text.replaceAll(/^( [^:\n]*:) .*$/gm, '$1')
}

/** Returns the title of a diff: branch, Application and object. */
export function diffTitle({ branch, application, object }: PlacedChange): string {
  return `${branch} ${qualifiedName(application)}: ${object.change} ${objectTitle(object)}`
}

/** Returns the other objects with the same diff, in words; empty for none. */
export function othersText(diff: ShownDiff): string {
  const names = otherNames(diff)
  return names.length === 0 ? '' : `The same in ${counted(names.length, 'other')}: ${names.join(', ')}`
}

/** Returns the names of the other objects with the same diff; none for a change that no other object has. */
export function otherNames({ object, others }: ShownDiff): string[] {
  return others.map((other) => otherText(other, object))
}

function otherText({ branch, application, object }: PlacedChange, shown: ObjectChange): string {
  const title = objectTitle(object)
  return `${branch} ${qualifiedName(application)}${title === objectTitle(shown) ? '' : ` (${title})`}`
}
