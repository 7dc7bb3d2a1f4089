import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { explain } from '../command-line/command-help.ts'
import { timeoutOption } from '../command-line/timeout-option.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'

interface HydrateFlags {
  hard?: boolean
  wait?: boolean
  timeout: number
  appNamespace?: string
}

/** Adds `app hydrate`. */
export function addHydrateCommand(app: Command, session: CommandSession): void {
  const command = app
    .command('hydrate')
    .argument('<name...>', 'NAME or NAMESPACE/NAME')
    .option(
      '--hard',
      'ignore caches, render every Application of the branch again and compare the whole branch',
    )
    .option('--wait', 'wait until the hydration is done')
    .addOption(timeoutOption())
    .option('-N, --app-namespace <namespace>', 'namespace of the Applications')
    .action((names: string[], flags: HydrateFlags) => hydrateApplications(session, names, flags))
  explain(command, 'Hydrate the branches of Applications now.', [
    'wadi app hydrate guestbook',
    'wadi app hydrate guestbook --hard --wait --timeout 120',
  ])
  completeWith(command, 'applications')
}

async function hydrateApplications(
  session: CommandSession,
  names: string[],
  flags: HydrateFlags,
): Promise<void> {
  const qualified = names.map((name) => parseQualifiedName(name, flags.appNamespace))
  const { signal } = session
  const { applications } = await session.connect('applications')
  for (const name of qualified) {
    await applications.hydrateApplication({ ...name, hard: flags.hard ?? false }, { signal })
    process.stdout.write(`application '${name.name}' hydration requested\n`)
  }
  if (!flags.wait) return
  const { waitForHydration } = await import('../applications/hydration-wait.ts')
  for (const name of qualified) {
    await waitForHydration(applications, name, {
      signal,
      timeoutSeconds: flags.timeout,
      report: (line) => process.stderr.write(`${line}\n`),
    })
  }
}
