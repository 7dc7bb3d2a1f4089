import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'

interface BcryptFlags {
  password?: string
  passwordStdin?: boolean
}

/** The cost that Argo CD uses, and the server compares with. */
const cost = 10

/** Adds `account bcrypt`. */
export function addBcryptCommand(account: Command, session: CommandSession): void {
  const command = account
    .command('bcrypt')
    .option('--password <password>', 'password; visible to other users of this machine')
    .option('--password-stdin', 'read the password from standard input ($WADI_PASSWORD works too)')
    .action((flags: BcryptFlags) => printHash(session, flags))
  explain(command, 'Print the bcrypt hash of a password for the Secret argocd-secret.', [
    'wadi account bcrypt',
    'wadi account bcrypt --password-stdin < password.txt',
  ])
}

async function printHash(session: CommandSession, flags: BcryptFlags): Promise<void> {
  const { readPassword } = await import('../sign-in/secret-input.ts')
  const password = await readPassword(session, flags)
  const { hash, truncates } = await import('bcryptjs')
  if (truncates(password))
    throw new CommandFailure('the password is longer than the 72 bytes that bcrypt reads')
  process.stdout.write(`${await hash(password, cost)}\n`)
}
