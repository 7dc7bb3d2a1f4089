import type { Command } from 'commander'
import { collect } from '../command-line/command-line-values.ts'

/** Adds the flags of `SpecFlags`. */
export function addSpecFlags(command: Command): Command {
  return command
    .option('--description <text>', 'description of the project')
    .option(
      '-d, --dest <server,namespace>',
      "where its Applications may be deployed to; the server may be a cluster's name (repeatable)",
      collect,
    )
    .option('-s, --src <url>', 'repository that its Applications may use (repeatable)', collect)
    .option(
      '--source-namespaces <names>',
      'namespaces of its Applications, separated by commas (repeatable)',
      collect,
    )
}
