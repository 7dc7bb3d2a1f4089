import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { type Command, Option } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain, showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'
import type { RepositoryFormat } from '../repositories/repository-output.ts'
import { addRepositoryAddCommand } from './repo-add.ts'

/** Defines the sub-commands of `repo`. */
export function defineRepositoryCommands(repo: Command, session: CommandSession): void {
  showExamples(repo, 'wadi repo list', 'wadi repo add https://git.example.com/deploy.git --username ci')
  addRepositoryAddCommand(repo, session)
  addRepositoryListCommand(repo, session)
  addRepositoryGetCommand(repo, session)
  addRepositoryRemoveCommand(repo, session)
}

interface ListFlags {
  output: RepositoryFormat
  refresh?: 'hard'
  write?: boolean
}

/** Adds `repo list`. */
function addRepositoryListCommand(repo: Command, session: CommandSession): void {
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

interface GetFlags {
  output: RepositoryFormat
  refresh?: 'hard'
  write?: boolean
}

/** Adds `repo get`. */
function addRepositoryGetCommand(repo: Command, session: CommandSession): void {
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

interface RemoveFlags {
  write?: boolean
  project?: string
}

/** Adds `repo rm`. */
function addRepositoryRemoveCommand(repo: Command, session: CommandSession): void {
  const command = repo
    .command('rm')
    .argument('<url...>', 'repositories')
    .option('--write', 'remove the write credentials instead of the read credentials')
    .option('--project <name>', 'AppProject of the stored credentials')
    .action((urls: string[], flags: RemoveFlags) => removeRepositories(session, urls, flags))
  explain(command, 'Remove repositories and their credentials.', [
    'wadi repo rm https://git.example.com/deploy.git',
  ])
  completeWith(command, 'repositories')
}

async function removeRepositories(
  session: CommandSession,
  urls: string[],
  flags: RemoveFlags,
): Promise<void> {
  const { repositories } = await session.connect('repositories')
  for (const url of urls) {
    await repositories.deleteRepository(
      { repoUrl: url, write: flags.write ?? false, project: flags.project ?? '' },
      { signal: session.signal },
    )
    process.stdout.write(`Repository '${redactUrl(url)}' removed\n`)
  }
}
