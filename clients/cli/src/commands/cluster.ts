import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addClusterAddCommand } from './cluster-add.ts'
import { addClusterGetCommand } from './cluster-get.ts'
import { addClusterListCommand } from './cluster-list.ts'
import { addClusterRemoveCommand } from './cluster-rm.ts'

/** Defines the sub-commands of `cluster`. */
export function defineClusterCommands(cluster: Command, session: CommandSession): void {
  showExamples(
    cluster,
    'wadi cluster list',
    'wadi cluster add staging --url https://staging.example.com:6443',
  )
  addClusterAddCommand(cluster, session)
  addClusterListCommand(cluster, session)
  addClusterGetCommand(cluster, session)
  addClusterRemoveCommand(cluster, session)
}
