import type { Command } from 'commander'
import { counted } from '@wadi/changes/report/report.ts'
import { parseQualifiedName } from '../applications/application-name.ts'
import { addSourceChoiceFlags, sourceChoice, type SourceChoiceFlags } from '../applications/source-choice.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'

interface ExplainFlags extends SourceChoiceFlags {
  output: 'text' | 'json' | 'yaml'
  revision?: string
  appNamespace?: string
}

/** Adds `app explain`. */
export function addExplainCommand(app: Command, session: CommandSession): void {
  const command = addSourceChoiceFlags(app.command('explain').argument('<name>', 'NAME or NAMESPACE/NAME'))
    .argument('[leaf]', 'path of a value or of a group of values, for example .app.replicas')
    .option('--revision <revision>', 'dry revision to read (default: that of the Application)')
    .addOption(outputOption('text', 'json', 'yaml'))
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .action((name: string, leaf: string | undefined, flags: ExplainFlags) =>
      explainApplication(session, name, leaf, flags),
    )
  explain(
    command,
    'Show where each value of an Application comes from: who set it, file and line, and what it overrides.',
    [
      'wadi app explain shop',
      'wadi app explain shop .app.replicas --revision feature-branch',
      'wadi app explain shop --source-name chart -o json',
    ],
  )
  command.addHelpText(
    'after',
    '\n"wadi explain" does the same for a directory without a server. Exit codes: 0 done, 20 the value does not exist or the call failed.',
  )
  completeWith(command, 'applications')
}

async function explainApplication(
  session: CommandSession,
  name: string,
  leaf: string | undefined,
  flags: ExplainFlags,
): Promise<void> {
  const { applications } = await session.connect('applications')
  const qualified = parseQualifiedName(name, flags.appNamespace)
  const { explained, explainedLeftOut, warnings } = await applications.getParameters(
    { ...qualified, ...sourceChoice(flags), dryRevision: flags.revision ?? '', explain: true },
    { signal: session.signal },
  )
  const { explainedParameter } = await import('@wadi/params/explain/explained-message.ts')
  const { printExplanation } = await import('../explain/print-explanation.ts')
  const leftOut = explainedLeftOut === 0 ? [] : [`not shown: ${counted(explainedLeftOut, 'more value')}`]
  const explanation = { parameters: explained.map(explainedParameter), warnings: [...warnings, ...leftOut] }
  printExplanation(explanation, { leaf, output: flags.output }, session)
}
