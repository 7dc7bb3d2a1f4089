import { Option } from 'commander'
import type { Command } from 'commander'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import type { RepositoryFormat } from '../repositories/repository-output.ts'
import { outputOption } from '../output/output-option.ts'

interface GetFlags {
  output: RepositoryFormat
  refresh?: 'hard'
  write?: boolean
}

/** Adds `repo get`. */
export function addRepositoryGetCommand(repo: Command, session: CommandSession): void {
  const command = repo
    .command('get')
    .argument('<url>', 'repository')
    .addOption(outputOption('wide', 'url', 'json', 'yaml'))
    .addOption(new Option('--refresh <kind>', 'hard checks the connection now').choices(['hard']))
    .option('--write', 'show its write credentials instead of its read credentials')
    .action((url: string, flags: GetFlags) => getRepository(session, url, flags))
  explain(command, 'Show a stored repository.', ['wadi repo get https://git.example.com/deploy.git -o json'])
  completeWith(command, 'repositories')
}

async function getRepository(session: CommandSession, url: string, flags: GetFlags): Promise<void> {
  const server = await session.connect('repositories')
  const { repositories } = await server.repositories.listRepositories(
    { write: flags.write ?? false, refresh: flags.refresh === 'hard' },
    { signal: session.signal },
  )
  const wanted = normalizeRepositoryUrl(url)
  const found = repositories.filter(({ repoUrl }) => normalizeRepositoryUrl(repoUrl) === wanted)
  if (found.length === 0) {
    throw new CommandFailure(
      `repository '${url}' is not stored${flags.write ? ' with write credentials' : ''}`,
    )
  }
  const { repositoryText } = await import('../repositories/repository-output.ts')
  process.stdout.write(repositoryText(found, flags.output, found.length === 1))
}
