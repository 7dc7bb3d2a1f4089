import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { programVersion } from '../command-line/program-version.ts'
import { outputOption } from '../output/output-option.ts'

interface VersionFlags {
  client?: boolean
  short?: boolean
  output: 'wide' | 'json' | 'yaml'
}

interface Versions {
  version: string
  nodeVersion: string
  platform: string
}

/** Defines `version`. */
export function defineVersionCommand(command: Command, session: CommandSession): void {
  command
    .option('--client', 'print only the version of this command line')
    .option('--short', 'print only version numbers')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((flags: VersionFlags) => showVersions(session, flags))
  showExamples(command, 'wadi version', 'wadi version --client --short')
}

async function showVersions(session: CommandSession, flags: VersionFlags): Promise<void> {
  const client: Versions = {
    version: programVersion,
    nodeVersion: process.version,
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  }
  if (flags.output === 'wide') process.stdout.write(versionText('wadi', client, flags.short ?? false))
  const server = flags.client ? undefined : await serverVersions(session)
  if (flags.output !== 'wide') {
    const { structuredText } = await import('../output/structured-output.ts')
    const both = { client: { ...client }, ...(server && { server: { ...server } }) }
    process.stdout.write(structuredText(both, flags.output))
  } else if (server) {
    process.stdout.write(versionText('wadi-server', server, flags.short ?? false))
  }
}

async function serverVersions(session: CommandSession): Promise<Versions> {
  const server = await session.connect('version')
  const { version, nodeVersion, platform } = await server.version.getVersion({}, { signal: session.signal })
  return { version: version.startsWith('v') ? version : `v${version}`, nodeVersion, platform }
}

function versionText(program: string, versions: Versions, short: boolean): string {
  const first = `${program}: ${versions.version}\n`
  return short ? first : `${first}  NodeVersion: ${versions.nodeVersion}\n  Platform: ${versions.platform}\n`
}
