import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'

interface GetFlags {
  output: 'json' | 'yaml' | 'wide'
  refresh?: boolean
  hardRefresh?: boolean
  appNamespace?: string
}

/** Adds `app get`. */
export function addGetCommand(app: Command, session: CommandSession): void {
  const command = app
    .command('get')
    .argument('<name>', 'NAME or NAMESPACE/NAME')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .option('--refresh', 'poll the dry repository first')
    .option('--hard-refresh', 'poll the dry repository first and ignore caches')
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .action((name: string, flags: GetFlags) => getApplication(session, name, flags))
  explain(command, 'Show an Application, the state of its hydration and its branches.', [
    'wadi app get guestbook',
    'wadi app get guestbook --refresh -o json',
  ])
  completeWith(command, 'applications')
}

async function getApplication(session: CommandSession, name: string, flags: GetFlags): Promise<void> {
  const { applications } = await session.connect('applications')
  const refresh = flags.hardRefresh ? 'hard' : flags.refresh ? 'normal' : ''
  const { application = {}, ...hydrated } = await applications.getApplication(
    { ...parseQualifiedName(name, flags.appNamespace), refresh },
    { signal: session.signal },
  )
  if (flags.output === 'wide') {
    const { applicationBlock } = await import('../applications/application-block.ts')
    process.stdout.write(applicationBlock(application, hydrated))
    return
  }
  const { structuredText } = await import('../output/structured-output.ts')
  process.stdout.write(structuredText(application, flags.output))
}
