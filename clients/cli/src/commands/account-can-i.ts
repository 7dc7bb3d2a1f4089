import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { printable } from '../output/printable.ts'

/** Adds `account can-i`. */
export function addCanICommand(account: Command, session: CommandSession): void {
  const command = account
    .command('can-i')
    .argument('<action>', 'get, create, update, delete, sync, override, action/<group>/<kind>/<name>, …')
    .argument('<resource>', 'applications, applicationsets, clusters, projects, repositories, …')
    .argument('<object>', 'object of the action, for example dev/web')
    .action((action: string, resource: string, object: string) => ask(session, action, resource, object))
  explain(command, 'Ask the server whether you may do something. Prints yes or no.', [
    "wadi account can-i create applications 'dev/*'",
    'wadi account can-i get projects dev',
  ])
  command.addHelpText('after', '\nExit codes: 0 for yes and for no, 20 error.')
  completeWith(command, 'rbac-words')
}

async function ask(session: CommandSession, action: string, resource: string, object: string): Promise<void> {
  const { accounts } = await session.connect('accounts')
  const { value } = await accounts.canI({ resource, action, subresource: object }, { signal: session.signal })
  process.stdout.write(`${printable(value)}\n`)
}
