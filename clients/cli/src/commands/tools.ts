import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain, showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { confirmedNames } from '../command-line/confirmed-names.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'
import { printable } from '../output/printable.ts'
import type { ShownTool, ShownVerdict, ToolListFormat } from '../tools/tool-output.ts'
import { addToolsAddCommand } from './tools-add.ts'

/** Defines the sub-commands of `tools`. */
export function defineToolsCommands(tools: Command, session: CommandSession): void {
  showExamples(tools, 'wadi tools list', 'wadi tools verify')
  tools.addHelpText(
    'after',
    '\nThose of this machine are for "wadi up" and local rendering: in WADI_TOOLS_DIRECTORY, else in tools of the data directory.',
  )
  addToolsListCommand(tools, session)
  addToolsAddCommand(tools, session)
  addToolsRemoveCommand(tools, session)
  addToolsVerifyCommand(tools, session)
}

interface ListFlags {
  output: ToolListFormat
  remote?: boolean
}

/** Adds `tools list`. */
function addToolsListCommand(tools: Command, session: CommandSession): void {
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

interface VerifyFlags {
  output: 'wide' | 'json' | 'yaml'
  remote?: boolean
}

/** Adds `tools verify`. */
function addToolsVerifyCommand(tools: Command, session: CommandSession): void {
  const command = tools
    .command('verify')
    .option('--remote', 'verify those of the server instead; needs the right to read settings')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((flags: VerifyFlags) => verifyTools(session, flags))
  explain(
    command,
    'Compare the program of each version with the archive or digest beside it, and the archive with the list of releases. The exit code is 20 if one is not what it has to be.',
    ['wadi tools verify', 'wadi tools verify -o json', 'wadi tools verify --remote'],
  )
}

async function verifyTools(session: CommandSession, { output, remote }: VerifyFlags): Promise<void> {
  const verdicts = remote ? await verdictsOfServer(session) : await verdictsOfMachine(session)
  const { verdictText } = await import('../tools/tool-output.ts')
  process.stdout.write(verdictText(verdicts, output))
  const failed = verdicts.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return
  const names = failed.map(({ name, version }) => `${name} ${version}`).join(', ')
  throw new CommandFailure(`not what they have to be: ${names}`)
}

async function verdictsOfServer(session: CommandSession): Promise<readonly ShownVerdict[]> {
  const server = await session.connect('tools')
  return (await server.tools.verifyTools({}, { signal: session.signal, timeoutMs: maxMs })).tools
}

/** All programs are read whole. */
const maxMs = 2 * 60_000

async function verdictsOfMachine({ environment, signal }: CommandSession): Promise<readonly ShownVerdict[]> {
  const { openLocalTools, readLocalList } = await import('../tools/local-tools.ts')
  const { verifyTools: verified } = await import('@wadi/renderer-tools/releases/verify-tools.ts')
  const { tools, directory } = await openLocalTools(environment, signal)
  return verified(tools, { list: await readLocalList(environment), toolsDirectory: directory })
}

interface RemoveFlags {
  yes?: boolean
  remote?: boolean
}

/** Adds `tools rm`. */
function addToolsRemoveCommand(tools: Command, session: CommandSession): void {
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
