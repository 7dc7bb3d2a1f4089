import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { printable } from '../output/printable.ts'

interface RemoveFlags {
  yes?: boolean
  remote?: boolean
}

/** Adds `tools rm`. */
export function addToolsRemoveCommand(tools: Command, session: CommandSession): void {
  const command = tools
    .command('rm')
    .argument('<tool>', 'helm or kustomize')
    .argument('<version>', 'one exact version')
    .option('-y, --yes', 'remove without confirmation; required without a terminal')
    .option('--remote', 'remove one that the server downloaded instead; needs the right to change settings')
    .action((tool: string, version: string, flags: RemoveFlags) => removeTool(session, tool, version, flags))
  explain(command, 'Remove a version that was added or downloaded. The one that renders by default stays.', [
    'wadi tools rm helm 4.2.4 --yes',
    'wadi tools rm helm 4.2.4 --remote --yes',
  ])
  completeWith(command, 'tools')
}

async function removeTool(
  session: CommandSession,
  tool: string,
  text: string,
  { yes = false, remote }: RemoveFlags,
): Promise<void> {
  const { namedTool } = await import('../tools/local-tools.ts')
  const named = namedTool(tool, text)
  const title = `${named.name} ${named.version}`
  const { signal } = session
  for await (const _ of confirmedNames([title], { yes, what: 'versions', verb: 'remove', signal })) {
    if (remote) {
      const server = await session.connect('tools')
      const { branches } = await server.tools.removeTool({ tool: named }, { signal })
      process.stdout.write(`${title} removed\n`)
      if (branches.length > 0)
        session.warn(
          `the next hydration of ${printable(branches.join(', '))} downloads it again: where git names no version, these branches keep ${title}; name another one in wadi.yaml to move them on`,
        )
      continue
    }
    const { openLocalTools } = await import('../tools/local-tools.ts')
    const { removeTool: remove } = await import('@wadi/renderer-tools/releases/remove-tool.ts')
    const { tools, directory } = await openLocalTools(session.environment, signal)
    await remove(tools, { ...named, directory })
    process.stdout.write(`${title} removed\n`)
  }
}
