import { textAt } from '@wadi/fields/json-fields.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import type { JsonObject } from '@bufbuild/protobuf'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { maxFileBytes } from '../diff/local/application-files.ts'
import { printable } from '../output/printable.ts'
import { tableText } from '../output/table.ts'
import { placeText } from './collisions.ts'
import { keyOf, titleOf, type UnreadableFile } from './found-objects.ts'
import type { ImportItem } from './import-item.ts'
import { lineAt } from './object-places.ts'

/** An item with the places of its reasons. */
export interface ReportedItem extends ImportItem {
  /** `file:line: reason`, or the reason alone for an object of a cluster. */
  readonly placedReasons: readonly string[]
}

const headers = ['KIND', 'NAME', 'OUTCOME', 'BRANCH', 'PATH', 'RELEASE', 'FILE']

/** Finds the places of the reasons of an item. */
export async function placedItem(tree: FileTree, item: ImportItem): Promise<ReportedItem> {
  const { origin } = item.found
  if (item.reasons.length === 0) return { ...item, placedReasons: [] }
  if (!origin) return { ...item, placedReasons: item.reasons.map(({ reason }) => reason) }
  const text = (await tree.read(origin.file, maxFileBytes)).toString()
  const placedReasons = item.reasons.map(
    ({ reason, field }) => `${origin.file}:${lineAt(text, origin.place, field)}: ${reason}`,
  )
  return { ...item, placedReasons }
}

/** Returns the plan as a table, and below it what stays and why. */
export function planText(items: readonly ReportedItem[], unreadable: readonly UnreadableFile[]): string {
  const rows = items.map((item) => [
    textAt(item.found.manifest, 'kind'),
    keyOf(item.found.manifest),
    item.outcome,
    item.move?.syncSource.targetBranch ?? '',
    item.move?.syncSource.path ?? '',
    (item.move?.releases ?? []).join(','),
    placeText(item.found) ?? '',
  ])
  const stays = items.flatMap(({ found: { manifest }, placedReasons }) =>
    placedReasons.map((reason) => printable(`${titleOf(manifest)} stays: ${reason}`)),
  )
  const files = unreadable.map(({ file, line, reason }) => printable(`${file}:${line} stays: ${reason}`))
  const left = [...stays, ...files].map((line) => `${line}\n`)
  const table = rows.length === 0 ? '' : tableText(headers, rows)
  return [table, ...(left.length > 0 ? ['\n'] : []), ...left].join('')
}

/** Returns an item as an object for scripts. */
export function itemObject(item: ReportedItem): JsonObject {
  const { found, outcome, placedReasons, notes, move } = item
  return {
    kind: textAt(found.manifest, 'kind'),
    name: keyOf(found.manifest),
    outcome,
    ...(found.origin && { file: found.origin.file, line: found.origin.place.line }),
    ...(move && { syncSource: { ...move.syncSource }, releaseNames: [...move.releases] }),
    reasons: [...placedReasons],
    notes: [...notes],
    ...(move && { object: JSON.parse(manifestToJson(move.object)) as JsonObject }),
  }
}
