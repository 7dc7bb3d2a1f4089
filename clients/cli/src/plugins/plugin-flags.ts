import type { Command } from 'commander'
import { collect } from '../command-line/command-line-values.ts'

/** The plugins that a render on this machine may use. */
export interface PluginFlags {
  /** Files with a ConfigManagementPlugin each. */
  plugin?: string[]
  /** Directory with the sockets of running plugins. */
  pluginSockets?: string
  /** The variables of the Application and its cluster that plugins receive. */
  pluginVariables?: string
  /** True if actions of packages and ytt may be run. */
  runActions?: boolean
}

/** Adds the flags of commands that render on this machine. */
export function addPluginFlags(command: Command): Command {
  return command
    .option('--plugin <file>', 'file with a ConfigManagementPlugin to render with (repeatable)', collect)
    .option(
      '--plugin-sockets <directory>',
      'directory with the sockets of running plugins (default $WADI_PLUGIN_SOCKETS)',
    )
    .option(
      '--plugin-variables <setting>',
      'variables that plugins receive, as plugin=ARGOCD_APP_NAME,KUBE_VERSION=1.34.0 (default $WADI_PLUGIN_VARIABLES)',
    )
    .option(
      '--run-actions',
      'run ytt, and actions of packages that ask for it, each in a sandbox without network',
    )
}
