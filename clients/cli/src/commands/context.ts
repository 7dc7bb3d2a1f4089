import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { tableText } from '../output/table.ts'

/** Defines `context`. */
export function defineContextCommand(command: Command, session: CommandSession): void {
  command
    .argument('[name]', 'context to switch to')
    .option('--delete', 'delete the context')
    .action((name: string | undefined, flags: { delete?: boolean }) =>
      changeContext(session, command, name, flags),
    )
  showExamples(command, 'wadi context', 'wadi context local', 'wadi context local --delete')
  completeWith(command, 'contexts')
}

async function changeContext(
  session: CommandSession,
  command: Command,
  name: string | undefined,
  flags: { delete?: boolean },
): Promise<void> {
  const { changeContextFile, contextFilePath, readContextFile } =
    await import('../connection/context-file.ts')
  const path = session.flags().config ?? contextFilePath(session.environment)
  if (name === undefined) {
    if (flags.delete) command.help({ error: true })
    const { current, contexts } = await readContextFile(path)
    const rows = contexts.map((context) => [
      context.name === current ? '*' : '',
      context.name,
      context.server,
    ])
    process.stdout.write(tableText(['CURRENT', 'NAME', 'SERVER'], rows))
    return
  }
  await changeContextFile(path, ({ current, contexts }) => {
    if (!contexts.some((context) => context.name === name)) {
      throw new CommandFailure(`context '${name}' does not exist; see "wadi context"`)
    }
    if (!flags.delete) return { current: name, contexts }
    const others = contexts.filter((context) => context.name !== name)
    return { current: current === name ? '' : current, contexts: others }
  })
  process.stdout.write(flags.delete ? `Context '${name}' deleted\n` : `Switched to context '${name}'\n`)
}
