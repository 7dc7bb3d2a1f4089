import { Option } from 'commander'
import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import type { RepositoryFormat } from '../repositories/repository-output.ts'
import { outputOption } from '../output/output-option.ts'

interface ListFlags {
  output: RepositoryFormat
  refresh?: 'hard'
  write?: boolean
}

/** Adds `repo list`. */
export function addRepositoryListCommand(repo: Command, session: CommandSession): void {
  const command = repo
    .command('list')
    .addOption(outputOption('wide', 'url', 'json', 'yaml'))
    .addOption(new Option('--refresh <kind>', 'hard checks each connection now').choices(['hard']))
    .option('--write', 'list write credentials instead of read credentials')
    .action((flags: ListFlags) => listRepositories(session, flags))
  explain(command, 'List the stored repositories.', [
    'wadi repo list',
    'wadi repo list --write --refresh hard',
  ])
}

async function listRepositories(session: CommandSession, flags: ListFlags): Promise<void> {
  const server = await session.connect('repositories')
  const { repositories } = await server.repositories.listRepositories(
    { write: flags.write ?? false, refresh: flags.refresh === 'hard' },
    { signal: session.signal },
  )
  const { repositoryText } = await import('../repositories/repository-output.ts')
  process.stdout.write(repositoryText(repositories, flags.output))
}
