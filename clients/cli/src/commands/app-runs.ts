import type { Command } from 'commander'
import { type Run, RunSchema } from '@wadi/protocol/gen/wadi/runs/v1/runs_pb.ts'
import { parseQualifiedName } from '../applications/application-name.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'

interface RunFlags {
  output: 'wide' | 'json' | 'yaml'
  appNamespace?: string
}

/** Adds `app runs` and `app run`. */
export function addRunCommands(app: Command, session: CommandSession): void {
  const runs = withRunOptions(app.command('runs').argument('<name>', 'NAME or NAMESPACE/NAME')).action(
    (name: string, flags: RunFlags) => listRuns(session, name, flags),
  )
  explain(runs, "List the newest runs of the hydrator for an Application's branch, newest first.", [
    'wadi app runs guestbook',
    'wadi app runs guestbook -o json',
  ])
  runs.addHelpText(
    'after',
    '\nRuns that found nothing to do are not listed. 20 runs of each branch are kept.',
  )
  completeWith(runs, 'applications')
  const run = withRunOptions(app.command('run').argument('<name>', 'NAME or NAMESPACE/NAME'))
    .argument('[id]', 'id of the run (default: the newest)')
    .action((name: string, id: string | undefined, flags: RunFlags) => showRun(session, name, id, flags))
  explain(
    run,
    "Show a run of the hydrator for an Application's branch: its steps with their times, why it ran, and what was rendered, cached and skipped.",
    ['wadi app run guestbook', 'wadi app run guestbook mihx3k2p -o yaml'],
  )
  completeWith(run, 'applications')
}

function withRunOptions(command: Command): Command {
  return command
    .addOption(outputOption('wide', 'json', 'yaml'))
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
}

async function listRuns(session: CommandSession, name: string, flags: RunFlags): Promise<void> {
  const { applications } = await session.connect('applications')
  const named = parseQualifiedName(name, flags.appNamespace)
  const { runs } = await applications.listRuns(named, { signal: session.signal })
  const { runTable } = await import('../applications/run-text.ts')
  if (flags.output === 'wide') {
    process.stdout.write(runs.length === 0 ? 'no runs\n' : runTable(runs))
    return
  }
  process.stdout.write(await runsText(runs, flags.output))
}

async function showRun(
  session: CommandSession,
  name: string,
  id: string | undefined,
  flags: RunFlags,
): Promise<void> {
  const { applications } = await session.connect('applications')
  const named = parseQualifiedName(name, flags.appNamespace)
  const answer = await applications.getRun({ ...named, id: id ?? '' }, { signal: session.signal })
  const { runBlock } = await import('../applications/run-text.ts')
  if (!answer.run) return
  if (flags.output === 'wide') {
    process.stdout.write(runBlock(answer.run, answer))
    return
  }
  process.stdout.write(await runsText(answer.run, flags.output))
}

async function runsText(runs: Run | readonly Run[], format: 'json' | 'yaml'): Promise<string> {
  const { messageObject } = await import('../output/message-output.ts')
  const { structuredText } = await import('../output/structured-output.ts')
  const objectOf = (run: Run) => messageObject(RunSchema, run)
  return structuredText('id' in runs ? objectOf(runs) : runs.map(objectOf), format)
}
