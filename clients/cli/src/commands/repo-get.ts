import { Option } from 'commander'
import type { Command } from 'commander'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
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
  const wanted = normalizeRepositoryUrl(url)
  const find = async (write: boolean, refresh: boolean): Promise<Repository[]> => {
    const { signal } = session
    const { repositories } = await server.repositories.listRepositories({ write, refresh }, { signal })
    return repositories.filter(({ repoUrl }) => normalizeRepositoryUrl(repoUrl) === wanted)
  }
  const found = await find(flags.write ?? false, flags.refresh === 'hard')
  if (found.length === 0) {
    throw new CommandFailure(
      `repository '${url}' is not stored${flags.write ? ' with write credentials' : ''}`,
    )
  }
  // Why pull requests are not reviewed is known of the credentials that write to them.
  const written = flags.write ? [] : await find(true, false)
  for (const repository of found) repository.message ||= written.find(({ message }) => message)?.message ?? ''
  for (const { warnings } of found) for (const warning of warnings) session.warn(warning)
  const { repositoryText } = await import('../repositories/repository-output.ts')
  process.stdout.write(repositoryText(found, flags.output, found.length === 1))
}
