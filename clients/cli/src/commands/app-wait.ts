import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { explain } from '../command-line/command-help.ts'
import { timeoutOption } from '../command-line/timeout-option.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'

interface WaitFlags {
  timeout: number
  appNamespace?: string
}

/** Adds `app wait`. */
export function addWaitCommand(app: Command, session: CommandSession): void {
  const command = app
    .command('wait')
    .argument('<name...>', 'NAME or NAMESPACE/NAME')
    .option(
      '--hydrated',
      'wait until the newest dry commit is hydrated; always on, accepted for argocd scripts',
    )
    .addOption(timeoutOption())
    .option('-N, --app-namespace <namespace>', 'namespace of the Applications')
    .action((names: string[], flags: WaitFlags) => waitForApplications(session, names, flags))
  explain(command, 'Wait until the newest dry commit of Applications is hydrated.', [
    'wadi app wait guestbook',
    'wadi app wait guestbook --timeout 120',
  ])
  completeWith(command, 'applications')
}

async function waitForApplications(
  session: CommandSession,
  names: string[],
  flags: WaitFlags,
): Promise<void> {
  const qualified = names.map((name) => parseQualifiedName(name, flags.appNamespace))
  const { signal } = session
  const { applications } = await session.connect('applications')
  const { waitForHydration } = await import('../applications/hydration-wait.ts')
  for (const name of qualified) {
    // The server must know of the newest commit before its state says anything about it.
    await applications.getApplication({ ...name, refresh: 'normal' }, { signal })
    await waitForHydration(applications, name, {
      signal,
      timeoutSeconds: flags.timeout,
      report: (line) => process.stderr.write(`${line}\n`),
    })
  }
}
