import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'
import type { FileChange } from './file-change.ts'
import type { ImportOptions } from './import-options.ts'
import type { ImportPlan } from './print-plan.ts'
import { writeFiles } from './write-files.ts'

/** @throws CommandFailure for a plan in which something stays */
export function checkWhole({ items, unreadable }: ImportPlan): void {
  const count = items.filter(({ outcome }) => outcome === 'stays').length + unreadable.length
  if (count === 0) return
  throw new CommandFailure(
    `nothing was written, as ${count} ${count === 1 ? 'stays' : 'stay'}; choose others with --app or --selector, or add --partial to write what moves`,
  )
}

/** Writes changes to the files or to a new branch, as the flags ask for, and says so. */
export async function applyChanges(
  session: Pick<CommandSession, 'inform' | 'signal'>,
  root: string,
  changes: readonly FileChange[],
  { write, commit, output }: ImportOptions,
  message: string,
): Promise<void> {
  if (!write && commit === undefined) return
  const say = (text: string): void => {
    if (output === 'text') process.stdout.write(`${printable(text)}\n`)
    else session.inform(text)
  }
  if (changes.length === 0) {
    say('nothing to write')
    return
  }
  const paths = changes.map(({ path }) => path).join(', ')
  if (commit === undefined) {
    await writeFiles(root, changes)
    say(`written: ${paths}`)
    return
  }
  const { commitFiles } = await import('./commit-files.ts')
  const sha = await commitFiles(root, commit, changes, { message, signal: session.signal })
  say(`committed to branch ${commit} as ${sha}: ${paths}`)
}
