import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { outputOption } from '../output/output-option.ts'
import type { ShownTool, ToolListFormat } from '../tools/tool-output.ts'

interface ListFlags {
  output: ToolListFormat
  remote?: boolean
}

/** Adds `tools list`. */
export function addToolsListCommand(tools: Command, session: CommandSession): void {
  const command = tools
    .command('list')
    .option('--remote', 'list those of the server instead')
    .addOption(outputOption('wide', 'json', 'yaml', 'name'))
    .action((flags: ListFlags) => listTools(session, flags))
  explain(
    command,
    'List the versions: where each comes from (own, brought with Wadi, directory, downloaded), when it is used, and whether an engine within the service renders in its place.',
    ['wadi tools list', 'wadi tools list -o json', 'wadi tools list --remote'],
  )
}

async function listTools(session: CommandSession, { output, remote }: ListFlags): Promise<void> {
  const shown = remote ? await toolsOfServer(session) : await toolsOfMachine(session)
  const { toolListText } = await import('../tools/tool-output.ts')
  process.stdout.write(toolListText(shown, output))
}

async function toolsOfServer(session: CommandSession): Promise<readonly ShownTool[]> {
  const server = await session.connect('tools')
  return (await server.tools.listTools({}, { signal: session.signal })).tools
}

async function toolsOfMachine({ environment, signal }: CommandSession): Promise<readonly ShownTool[]> {
  const { openLocalTools } = await import('../tools/local-tools.ts')
  const { listTools: listed } = await import('@wadi/renderer-tools/list-tools.ts')
  return listed((await openLocalTools(environment, signal)).tools)
}
