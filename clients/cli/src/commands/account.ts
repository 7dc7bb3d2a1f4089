import type { Command } from 'commander'
import type { AccountFormat } from '../accounts/account-output.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain, showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'
import { printable } from '../output/printable.ts'
import { addBcryptCommand } from './account-bcrypt.ts'
import { addDeleteTokenCommand, addGenerateTokenCommand } from './account-token.ts'
import { addUpdatePasswordCommand } from './account-update-password.ts'

/** Defines the sub-commands of `account`. */
export function defineAccountCommands(account: Command, session: CommandSession): void {
  showExamples(account, 'wadi account get-user-info', "wadi account can-i create applications 'dev/*'")
  addAccountListCommand(account, session)
  addAccountGetCommand(account, session)
  addUserInfoCommand(account, session)
  addCanICommand(account, session)
  addUpdatePasswordCommand(account, session)
  addGenerateTokenCommand(account, session)
  addDeleteTokenCommand(account, session)
  addSessionTokenCommand(account, session)
  addBcryptCommand(account, session)
}

/** Adds `account list`. */
function addAccountListCommand(account: Command, session: CommandSession): void {
  const command = account
    .command('list')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .action((flags: { output: AccountFormat }) => listAccounts(session, flags))
  explain(command, 'List the local accounts that you may see.', [
    'wadi account list',
    'wadi account list -o json',
  ])
}

async function listAccounts(session: CommandSession, { output }: { output: AccountFormat }): Promise<void> {
  const { accounts } = await session.connect('accounts')
  const { items } = await accounts.listAccounts({}, { signal: session.signal })
  const { accountsText } = await import('../accounts/account-output.ts')
  process.stdout.write(accountsText(items, output))
}

interface GetFlags {
  account?: string
  output: AccountFormat
}

/** Adds `account get`. */
function addAccountGetCommand(account: Command, session: CommandSession): void {
  const command = account
    .command('get')
    .option('-a, --account <name>', 'account (default: your own)')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .action((flags: GetFlags) => getAccount(session, flags))
  explain(command, 'Show a local account and its tokens.', [
    'wadi account get',
    'wadi account get --account ci',
  ])
}

async function getAccount(session: CommandSession, { account, output }: GetFlags): Promise<void> {
  const server = await session.connect('accounts', 'sessions')
  const { accountOrOwn } = await import('../accounts/own-account.ts')
  const name = await accountOrOwn(server, account, session.signal)
  const found = await server.accounts.getAccount({ name }, { signal: session.signal })
  const { accountText } = await import('../accounts/account-output.ts')
  process.stdout.write(accountText(found, output))
}

/** Adds `account can-i`. */
function addCanICommand(account: Command, session: CommandSession): void {
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

/** Adds `account get-user-info`. */
function addUserInfoCommand(account: Command, session: CommandSession): void {
  const command = account
    .command('get-user-info')
    .alias('whoami')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((flags: { output: 'wide' | 'json' | 'yaml' }) => printUserInfo(session, flags))
  explain(command, 'Show your identity on the server.', [
    'wadi account get-user-info',
    'wadi account whoami -o json',
  ])
}

async function printUserInfo(
  session: CommandSession,
  { output }: { output: 'wide' | 'json' | 'yaml' },
): Promise<void> {
  const { sessions } = await session.connect('sessions')
  const user = await sessions.getUserInfo({}, { signal: session.signal })
  if (output !== 'wide') {
    const { messageObject } = await import('../output/message-output.ts')
    const { structuredText } = await import('../output/structured-output.ts')
    const { GetUserInfoResponseSchema } = await import('@wadi/protocol/gen/argocd/session/session_pb.ts')
    process.stdout.write(structuredText(messageObject(GetUserInfoResponseSchema, user), output))
    return
  }
  const { loggedIn, username, iss, groups } = user
  process.stdout.write(`Logged In: ${loggedIn}\n`)
  if (!loggedIn) return
  process.stdout.write(
    `Username: ${printable(username)}\nIssuer: ${printable(iss)}\nGroups: ${printable(groups.join(','))}\n`,
  )
}

/** Adds `account session-token`. */
function addSessionTokenCommand(account: Command, session: CommandSession): void {
  const command = account.command('session-token').action(() => printToken(session))
  explain(command, 'Print the token that is sent with calls to the server. It is a secret.', [
    'wadi account session-token',
    'WADI_AUTH_TOKEN=$(wadi account session-token) wadi app list --server gw.example.com',
  ])
}

async function printToken(session: CommandSession): Promise<void> {
  const token = await (await session.connect()).token()
  if (token === '') throw new CommandFailure('you are not signed in; use "wadi login"')
  process.stdout.write(`${token}\n`)
}
