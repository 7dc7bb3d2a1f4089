import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'

/** Commands that users of argocd look for, and where they are. */
const elsewhere = {
  sync: 'Wadi applies nothing to clusters: "wadi app hydrate NAME" writes the hydrated branch, and what watches the branch deploys it',
  rollback:
    'to go back, revert the commit in the dry repository, and "wadi app hydrate NAME"; "wadi app history NAME" shows which dry commit each hydrated commit holds',
} as const

/** Adds the commands of argocd that Wadi has not, which no help lists; each says what to use. */
export function addUnsupportedCommands(app: Command): void {
  for (const [name, advice] of Object.entries(elsewhere)) {
    app
      .command(name, { hidden: true })
      .argument('[anything...]')
      .allowUnknownOption()
      .action(() => {
        throw new CommandFailure(`app ${name} is unsupported: ${advice}`)
      })
  }
}
