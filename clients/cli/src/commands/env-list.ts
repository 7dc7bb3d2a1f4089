import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { listEnvironments } from '../environments/list-environments.ts'
import { outputOption } from '../output/output-option.ts'

/** Adds `env list`. */
export function addEnvironmentListCommand(env: Command, session: CommandSession): void {
  const command = env
    .command('list')
    .argument('[repository]', 'dry repository')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((repository: string | undefined, { output }: { output: 'wide' | 'json' | 'yaml' }) =>
      printList(session, repository ?? '', output),
    )
  explain(command, 'List the stages of dry repositories in their order, with what waits and why.', [
    'wadi env list',
    'wadi env list https://git.example.com/you/deploy.git -o json',
  ])
}

async function printList(
  session: CommandSession,
  repository: string,
  output: 'wide' | 'json' | 'yaml',
): Promise<void> {
  const { environments, queueError } = await listEnvironments(session, repository)
  if (queueError !== '') session.warn(`the queue cannot be read: ${queueError}`)
  for (const { branchesError } of environments) {
    if (branchesError !== '') session.warn(`promoted branches cannot be read: ${branchesError}`)
  }
  const { environmentListText } = await import('../environments/environment-output.ts')
  process.stdout.write(environmentListText(environments, output))
}
