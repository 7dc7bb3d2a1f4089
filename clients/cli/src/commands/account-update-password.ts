import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'

interface UpdateFlags {
  account?: string
  currentPassword?: string
  newPassword?: string
}

/** Adds `account update-password`. */
export function addUpdatePasswordCommand(account: Command, session: CommandSession): void {
  const command = account
    .command('update-password')
    .option('--account <name>', 'account (default: your own)')
    .option(
      '--current-password <password>',
      'your own current password ($WADI_PASSWORD keeps it out of the process list)',
    )
    .option('--new-password <password>', 'new password ($WADI_NEW_PASSWORD keeps it out of the process list)')
    .action((flags: UpdateFlags) => updatePassword(session, flags))
  explain(command, 'Change the password of an account. Its earlier sessions and tokens become invalid.', [
    'wadi account update-password',
    'wadi account update-password --account ci',
  ])
}

async function updatePassword(session: CommandSession, flags: UpdateFlags): Promise<void> {
  const { signal } = session
  const server = await session.connect('accounts', 'sessions')
  const { signedInUser } = await import('../accounts/own-account.ts')
  const { readSecret } = await import('../sign-in/secret-input.ts')
  const { serverIssuer, tokenClaims } = await import('../sign-in/token-claims.ts')
  const user = await signedInUser(server, signal)
  const name = flags.account ?? user.username
  // Neither the operator's token nor a provider's belongs to somebody with a password here.
  const hasPassword = tokenClaims(await server.token())?.issuer === serverIssuer
  const currentPassword = hasPassword
    ? await readSecret(session, {
        what: `password of ${user.username}`,
        flag: '--current-password',
        value: flags.currentPassword,
        variable: 'WADI_PASSWORD',
      })
    : ''
  const newPassword = await readNewPassword(session, name, flags.newPassword)
  await server.accounts.updatePassword({ name, newPassword, currentPassword }, { signal })
  process.stdout.write('Password updated\n')
  if (hasPassword && name === user.username)
    await signInAnew(session, { username: name, password: newPassword })
}

async function readNewPassword(
  session: CommandSession,
  account: string,
  value: string | undefined,
): Promise<string> {
  const { canAsk } = await import('../command-line/confirmation.ts')
  const { readSecret } = await import('../sign-in/secret-input.ts')
  const source = { flag: '--new-password', value, variable: 'WADI_NEW_PASSWORD' }
  const password = await readSecret(session, { ...source, what: `new password of ${account}` })
  if (value !== undefined || session.environment['WADI_NEW_PASSWORD'] !== undefined || !canAsk()) {
    return password
  }
  const again = await readSecret(session, { ...source, what: `new password of ${account} again` })
  if (again === password) return password
  throw new CommandFailure('the two new passwords differ; nothing was changed')
}

/** The session that changed its own password has ended with it. */
async function signInAnew(
  session: CommandSession,
  account: { username: string; password: string },
): Promise<void> {
  const { chooseServer } = await import('../connection/server-choice.ts')
  const { changeContextFile } = await import('../connection/context-file.ts')
  const { withContext } = await import('../connection/context-file-content.ts')
  const { kept } = await chooseServer(session.flags(), session.environment)
  if (!kept) return
  const { signInWithPassword } = await import('../sign-in/sign-in.ts')
  const signedIn = await signInWithPassword(await session.connect('sessions'), account, session.signal)
  await changeContextFile(kept.path, (file) => {
    const context = file.contexts.find(({ name }) => name === kept.context)
    return context && withContext(file, { ...context, ...signedIn })
  })
  process.stdout.write(`Context '${kept.context}' updated\n`)
}
