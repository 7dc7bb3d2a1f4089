import type { Command } from 'commander'
import type { QualifiedName } from '../applications/application-name.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { shortSha } from '../applications/hydration-state.ts'
import { addSourceChoiceFlags, sourceChoice, type SourceChoiceFlags } from '../applications/source-choice.ts'
import type { ParameterAssignmentText } from './parameter-assignment.ts'
import { printable, withoutTerminalControls } from '../output/printable.ts'

/** The flags of commands that change parameters in git. */
export interface ParameterChangeFlags extends SourceChoiceFlags {
  print?: boolean
  message?: string
  force?: boolean
  newBranch?: string
  reviewed?: string
}

/** Adds the flags of commands that change parameters in git. */
export function addParameterChangeFlags(command: Command): Command {
  return addSourceChoiceFlags(command)
    .option('--print', 'print the change as a patch for "git apply" and commit nothing')
    .option('--message <text>', "the commit's message")
    .option('--new-branch <name>', 'commit to a new branch on top of the dry branch, for a pull request')
    .option(
      '--reviewed <commit>',
      'commit only what "--print" showed at this dry commit: nothing if the source has changed since',
    )
    .option('--force', 'commit even if the check finds errors')
}

/** Commits a change of parameters to the dry branch, or prints it as a patch; problems go to standard error. */
export async function changeParameters(
  session: CommandSession,
  name: QualifiedName,
  changes: { assignments?: ParameterAssignmentText[]; removals?: string[] },
  flags: ParameterChangeFlags,
): Promise<void> {
  const {
    print: dryRun = false,
    message = '',
    force = false,
    newBranch = '',
    reviewed: reviewedSha = '',
  } = flags
  const { applications } = await session.connect('applications')
  const { file, otherFiles, drySha, branch, pullRequestUrl, editedSha } = await applications.setParameters(
    { ...name, ...sourceChoice(flags), changes, dryRun, message, force, newBranch, reviewedSha },
    { signal: session.signal },
  )
  if (!file) throw new Error('the server returned no file')
  const { path, problems, warnings } = file
  for (const text of [...problems, ...warnings]) session.warn(text)
  const changed = [file, ...otherFiles].filter(({ before, after }) => before !== after)
  if (changed.length === 0) {
    const text = `${path} already has these values; there is nothing to commit`
    if (dryRun) session.warn(text)
    else process.stdout.write(`${printable(text)}\n`)
  } else if (dryRun) {
    const { gitPatch } = await import('../render/git-patch.ts')
    const patch = changed.map((each) => gitPatch(each)).join('')
    // Other programs need every byte; a terminal would obey what somebody put into the file.
    process.stdout.write(process.stdout.isTTY ? withoutTerminalControls(patch) : patch)
    process.stderr.write(`to commit just this: --reviewed ${editedSha}\n`)
  } else {
    const target = printable(newBranch || branch)
    const paths = changed.map((each) => printable(each.path)).join(', ')
    process.stdout.write(`committed ${shortSha(drySha)} to ${target}: ${paths}\n`)
    if (pullRequestUrl !== '') process.stdout.write(`open a pull request at ${printable(pullRequestUrl)}\n`)
  }
}
