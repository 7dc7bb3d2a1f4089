import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { outputOption } from '../output/output-option.ts'
import type { ShownVerdict } from '../tools/tool-output.ts'

interface VerifyFlags {
  output: 'wide' | 'json' | 'yaml'
  remote?: boolean
}

/** Adds `tools verify`. */
export function addToolsVerifyCommand(tools: Command, session: CommandSession): void {
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
