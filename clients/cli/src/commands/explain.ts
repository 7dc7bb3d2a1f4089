import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addPluginFlags, type PluginFlags } from '../plugins/plugin-flags.ts'
import { addValueFlags, type ValueFlags, valueFlagsHelp } from '../parameters/value-flags.ts'
import { branchOption, reportVersions } from '../tools/report-versions.ts'
import { outputOption } from '../output/output-option.ts'

interface ExplainFlags extends PluginFlags, Pick<ValueFlags, 'values' | 'setValues'> {
  repo?: string
  revision?: string
  namespace: string
  app: string
  branch?: string
  output: 'text' | 'json' | 'yaml'
}

/** Defines `explain`. */
export function defineExplainCommand(command: Command, session: CommandSession): void {
  addValueFlags(addPluginFlags(command))
    .argument('<path>', 'directory of an application, in the repository or on this machine')
    .argument('[leaf]', 'path of a value or of a group of values, for example .app.replicas')
    .option('--repo <directory-or-url>', 'repository (default: that of the current directory)')
    .option('--revision <revision>', 'commit (default: the working copy of a directory, HEAD of a URL)')
    .option('--namespace <namespace>', 'destination namespace, passed to Helm', '')
    .option('--app <name>', 'Application whose .argocd-source-<name>.yaml applies', '')
    .addOption(branchOption())
    .addOption(outputOption('text', 'json', 'yaml'))
    .action((place: string, leaf: string | undefined, flags: ExplainFlags) =>
      explainPlace(session, place, leaf, flags),
    )
  showExamples(
    command,
    'wadi explain apps/shop/prod',
    'wadi explain apps/shop/prod .app.replicas',
    'wadi explain apps/shop/prod .app.replicas --set-values replicas=9 -o json',
    'wadi explain --repo . --revision HEAD apps/shop/prod',
  )
  command.addHelpText(
    'after',
    `\nThis renders nothing and needs no server.\n${valueFlagsHelp}` +
      '\n"wadi app explain" asks the server about an Application, and about one of several dry sources.' +
      '\nExit codes: 0 done, 20 the value does not exist or the source has errors. -o json prints a list of {of, path, value, from, beats}.',
  )
}

async function explainPlace(
  session: CommandSession,
  place: string,
  leaf: string | undefined,
  flags: ExplainFlags,
): Promise<void> {
  const { signal } = session
  const { openSource } = await import('../explain/explain-place.ts')
  const { openLocalPlugins } = await import('../plugins/local-plugins.ts')
  const { inspectTree } = await import('../render/render-tree.ts')
  const { explainSource } = await import('@wadi/rendering/parameters/explain/explain-source.ts')
  const { printExplanation } = await import('../explain/print-explanation.ts')
  const wanted = {
    place,
    repo: flags.repo,
    revision: flags.revision,
    applicationName: flags.app,
    destinationNamespace: flags.namespace,
    values: flags,
    warn: session.warn,
  }
  await using opened = await openSource(wanted, signal)
  await using plugins = await openLocalPlugins(flags, session)
  const { tree, source, revision } = opened
  const kept = await opened.keptVersions(flags.branch, signal)
  const { inspection, versions } = await inspectTree(tree, source, revision, plugins, signal, kept)
  const parameters = await explainSource(tree, inspection, signal)
  reportVersions(versions, session)
  printExplanation({ parameters, warnings: inspection.warnings }, { leaf, output: flags.output }, session)
}
