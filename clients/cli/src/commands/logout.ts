import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'

/** Defines `logout`. */
export function defineLogoutCommand(command: Command, session: CommandSession): void {
  command
    .argument('[context]', 'context to sign out of (default: the current one)')
    .action((context: string | undefined) => signOut(session, context))
  showExamples(command, 'wadi logout', 'wadi logout gw.example.com')
  completeWith(command, 'contexts')
}

async function signOut(session: CommandSession, name: string | undefined): Promise<void> {
  const { changeContextFile } = await import('../connection/context-file.ts')
  const { withContext } = await import('../connection/context-file-content.ts')
  const { errorText } = await import('../command-line/error-text.ts')
  const { findContext } = await import('../sign-in/find-context.ts')
  const { connectAs, contextFileOf } = await import('../sign-in/sign-in.ts')
  const context = await findContext(session, name ?? session.flags().wadiContext)
  let failure: unknown
  try {
    if (context.token !== '') {
      const { sessions } = await connectAs(session, context.server, context.token)
      await sessions.delete({}, { signal: session.signal, timeoutMs: answerTimeoutMs })
    }
  } catch (error) {
    failure = error
  }
  await changeContextFile(contextFileOf(session), (file) => {
    const known = file.contexts.find((candidate) => candidate.name === context.name)
    return known && withContext(file, { ...known, token: '', refreshToken: '' })
  })
  if (failure !== undefined) {
    session.warn(`the session was not ended at ${context.server}: ${await errorText(failure)}`)
  }
  process.stdout.write(`Logged out from '${context.name}'\n`)
}

const answerTimeoutMs = 10_000
