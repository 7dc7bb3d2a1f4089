import { someInLine } from '@wadi/errors/some-of.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { withoutTerminalControls } from '../output/printable.ts'
import { gitPatch } from '../render/git-patch.ts'
import type { CheckedItem } from './check-import.ts'
import type { FileChange } from './file-change.ts'
import type { ChangedFiles } from './file-changes.ts'
import { titleOf, type UnreadableFile } from './found-objects.ts'
import type { ImportContext } from './import-context.ts'
import type { ImportItem } from './import-item.ts'
import type { ImportOptions } from './import-options.ts'
import { recordFile } from './import-record.ts'
import { checkObjects, checkText } from './print-check.ts'
import { itemObject, placedItem, planText } from './import-report.ts'

/** Most objects that one note names. */
const maxListed = 5

/** An import as it is printed. */
export interface ImportPlan extends ChangedFiles {
  readonly unreadable: readonly UnreadableFile[]
  /** The comparisons that were asked for, by item. */
  readonly checked: ReadonlyMap<ImportItem, CheckedItem>
}

/** Prints a plan on standard output, with the diff of what is not written. */
export async function printPlan(
  session: Pick<CommandSession, 'warn'>,
  { items, files, unreadable, checked }: ImportPlan,
  { side }: Pick<ImportContext, 'side'>,
  options: ImportOptions,
): Promise<void> {
  const isGiven = options.manifests !== undefined
  const reported = await Promise.all(items.map((item) => placedItem(side.tree, item)))
  if (options.output !== 'text') {
    const { structuredText } = await import('../output/structured-output.ts')
    const checkedOf = new Map(Array.from(checked, ([{ found }, results]) => [found, results]))
    const objects = reported.map((item) => {
      const results = checkedOf.get(item.found)
      return { ...itemObject(item), ...(results && { check: checkObjects(item, results, isGiven) }) }
    })
    const left = unreadable.map((file) => ({ kind: '', name: '', outcome: 'stays', ...file }))
    process.stdout.write(structuredText([...objects, ...left], options.output))
    return
  }
  process.stdout.write(planText(reported, unreadable))
  printChanges(files, options)
  const results = checkText(checked, isGiven)
  if (results !== '') process.stdout.write(`\n${results}`)
  const noted = items.flatMap(({ found, notes }) =>
    notes.map((note) => ({ note, title: titleOf(found.manifest) })),
  )
  for (const [note, group] of Map.groupBy(noted, (one) => one.note)) {
    const titles = group.map(({ title }) => title)
    session.warn(`${someInLine(titles, maxListed)}: ${note}`)
  }
}

/** Prints the changes of files as a diff, unless they are written. */
export function printChanges(files: readonly FileChange[], { write, commit }: ImportOptions): void {
  if (write || commit !== undefined) return
  const shown = files.filter(({ path }) => path !== recordFile)
  const patches = shown.map((file) => gitPatch(file)).join('')
  if (patches !== '') process.stdout.write(`\n${withoutTerminalControls(patches)}`)
}
