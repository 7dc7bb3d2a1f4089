import type { Command } from 'commander'
import { collect } from '../command-line/command-line-values.ts'

/** Values that a person tries out with a render on this machine. */
export interface ValueFlags {
  /** Values files, the last one wins. */
  values?: string[]
  /** Texts such as `app.replicas=3`, which win over the files. */
  setValues?: string[]
  /** Parameters of a chart, `name=value`. */
  set?: string[]
  /** Version of Kubernetes that a chart sees. */
  kubeVersion?: string
  /** API versions that a chart sees, several with commas between them. */
  apiVersions?: string[]
}

/** Adds the flags of commands that try values out, but `--set`. */
export function addValueFlags(command: Command): Command {
  return command
    .option(
      '-f, --values <file>',
      'values file to try out; the last one takes precedence (repeatable)',
      collect,
    )
    .option('--set-values <path=value>', 'value to try out; overrides the files (repeatable)', collect)
}

/** The help text of commands that try values out. */
export const valueFlagsHelp =
  'Values from the command line never reach a commit. A package takes them as its values, and a workload as its params\n' +
  '(the top-level keys), both from files in the current directory. A chart takes --values relative to its own directory, and\n' +
  '--set-values as --set. Other sources accept no values. Operator values still take precedence for packages and workloads,\n' +
  'and .argocd-source.yaml for charts.'
