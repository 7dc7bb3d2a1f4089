import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'

interface RemoveFlags {
  write?: boolean
  project?: string
}

/** Adds `repo rm`. */
export function addRepositoryRemoveCommand(repo: Command, session: CommandSession): void {
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
