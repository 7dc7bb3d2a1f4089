import type { Command } from 'commander'
import { collect } from '../command-line/command-line-values.ts'

/** Adds the flags of `SpecFlags`. */
export function addSpecFlags(command: Command): Command {
  return command
    .option('--description <text>', 'what the project is for')
    .option(
      '-d, --dest <server,namespace>',
      'where its Applications may be deployed to; the name of a cluster works for the server (repeatable)',
      collect,
    )
    .option('-s, --src <url>', 'repository that its Applications may use (repeatable)', collect)
    .option(
      '--source-namespaces <names>',
      'where its Applications may be, with commas between (repeatable)',
      collect,
    )
}
