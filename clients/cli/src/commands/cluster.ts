import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addClusterAddCommand } from './cluster-add.ts'
import { addClusterGetCommand } from './cluster-get.ts'
import { addClusterListCommand } from './cluster-list.ts'
import { addClusterRemoveCommand } from './cluster-rm.ts'

/** Adds `cluster` with its sub-commands. */
export function addClusterCommands(program: Command, session: CommandSession): void {
  const cluster = explain(
    program.command('cluster'),
    'Manage the clusters that Applications and generators can use. Wadi stores no cluster credentials.',
    ['wadi cluster list', 'wadi cluster add staging --url https://staging.example.com:6443'],
  )
  addClusterAddCommand(cluster, session)
  addClusterListCommand(cluster, session)
  addClusterGetCommand(cluster, session)
  addClusterRemoveCommand(cluster, session)
}
