import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import type { Command } from 'commander'
import type { HistoryEntry } from '@wadi/protocol/gen/wadi/history/v1/history_pb.ts'
import { parseQualifiedName } from '../applications/application-name.ts'
import { firstDrySource } from '../applications/dry-sources.ts'
import { explain } from '../command-line/command-help.ts'
import { count } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { shortSha } from '../applications/hydration-state.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { tableText } from '../output/table.ts'
import { outputOption } from '../output/output-option.ts'

interface HistoryFlags {
  output: 'wide' | 'id' | 'json' | 'yaml'
  limit: number
  appNamespace?: string
}

/** Adds `app history`. */
export function addHistoryCommand(app: Command, session: CommandSession): void {
  const command = app
    .command('history')
    .argument('<name>', 'NAME or NAMESPACE/NAME')
    .addOption(outputOption('wide', 'id', 'json', 'yaml'))
    .option('--limit <number>', 'maximum number of commits', count, 100)
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .action((name: string, flags: HistoryFlags) => showHistory(session, name, flags))
  explain(command, 'List the hydrated commits of an Application, newest first.', [
    'wadi app history guestbook',
    'wadi app history guestbook -o id',
  ])
  completeWith(command, 'applications')
}

async function showHistory(session: CommandSession, name: string, flags: HistoryFlags): Promise<void> {
  const { applications } = await session.connect('applications')
  const { signal } = session
  const qualified = parseQualifiedName(name, flags.appNamespace)
  const { entries } = await applications.listHistory({ ...qualified, limit: flags.limit }, { signal })
  if (flags.output === 'id') {
    process.stdout.write(entries.map((entry) => `${entry.hydratedSha}\n`).join(''))
  } else if (flags.output === 'wide') {
    const { application } = await applications.getApplication(qualified, { signal })
    const drySource = firstDrySource(application)
    const repo = shownUrl(textAt(drySource, 'repoURL'))
    const target = textAt(drySource, 'targetRevision')
    process.stdout.write(tableText(['SOURCE', repo], []))
    process.stdout.write(historyTable(entries, target))
  } else {
    const { structuredText } = await import('../output/structured-output.ts')
    process.stdout.write(structuredText(entries.map(plainEntry), flags.output))
  }
}

function historyTable(entries: readonly HistoryEntry[], target: string): string {
  const rows = entries.map((entry) => [
    shortSha(entry.hydratedSha),
    `${entry.date.replace('T', ' ').replace(/Z$/, '')} +0000 UTC`,
    entry.foreign || entry.drySha === '' ? '' : `${target} (${shortSha(entry.drySha)})`,
    entry.author,
    entry.subject,
  ])
  return tableText(['ID', 'DATE', 'REVISION', 'AUTHOR', 'SUBJECT'], rows)
}

function plainEntry({ hydratedSha, drySha, date, author, subject }: HistoryEntry) {
  return { hydratedSHA: hydratedSha, drySHA: drySha, date, author, subject }
}
