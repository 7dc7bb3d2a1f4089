import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { printable } from '../output/printable.ts'
import { outputOption } from '../output/output-option.ts'

interface UserInfoFlags {
  output: 'wide' | 'json' | 'yaml'
}

/** Adds `account get-user-info`. */
export function addUserInfoCommand(account: Command, session: CommandSession): void {
  const command = account
    .command('get-user-info')
    .alias('whoami')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((flags: UserInfoFlags) => printUserInfo(session, flags))
  explain(command, 'Show your identity on the server.', [
    'wadi account get-user-info',
    'wadi account whoami -o json',
  ])
}

async function printUserInfo(session: CommandSession, { output }: UserInfoFlags): Promise<void> {
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
