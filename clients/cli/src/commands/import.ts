import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import type { ImportOptions } from '../import/import-options.ts'
import { outputOption } from '../output/output-option.ts'
import { addPluginFlags } from '../plugins/plugin-flags.ts'

/** Defines `import`. */
export function defineImportCommand(command: Command, session: CommandSession): void {
  addPluginFlags(command)
    .argument('[path...]', 'files and directories with Applications and ApplicationSets (default: this one)')
    .option('--branch <rule>', 'branch that each is hydrated to', 'environments/{{destination}}')
    .option('--path <rule>', 'directory of each on its branch', '{{name}}')
    .option('--sync-source-repo <url>', 'repository of the hydrated branches (default: the dry one)')
    .option('--app <name>', 'NAME or NAMESPACE/NAME of what moves (repeatable, default: all)', collect)
    .option('-l, --selector <labels>', 'labels of what moves', '')
    .option(
      '--repo <url>',
      'URL by which Applications name this checkout (default: that of its remote "origin")',
    )
    .option('--kubeconfig <file>', 'read what a cluster has in place of files, and write nothing')
    .option(
      '--move-parameters',
      'write the options of sources in this checkout into .argocd-source-NAME.yaml of their directories',
    )
    .option(
      '--take-over',
      "change those that Argo CD's own hydrator renders, in place of others: name their releases and keep the order of their objects",
    )
    .option('--check', 'render both forms on this machine and compare the objects')
    .option(
      '--manifests <directory>',
      'compare with what "argocd app manifests NAME" printed into NAME.yaml or NAMESPACE_NAME.yaml there',
    )
    .option('--write', 'change the files, all or none')
    .option('--commit <branch>', 'commit the changes to a new branch, and leave the files as they are')
    .option(
      '--partial',
      'with --write or --commit: move what can move although others stay, also those that --check or --manifests does not find equal',
    )
    .option('--revert', 'take the files back to what they were before --write or --commit')
    .addOption(outputOption('text', 'json', 'yaml'))
    .action(async (paths: string[], options: ImportOptions) => {
      const { runImport } = await import('../import/run-import.ts')
      await runImport(session, paths, options)
    })
  showExamples(
    command,
    'wadi import apps',
    "wadi import apps --branch 'environments/{{labels.env}}' --path '{{project}}/{{name}}'",
    'wadi import apps --app guestbook -o yaml',
    'wadi import apps --move-parameters --check',
    'wadi import apps --take-over',
    'wadi import apps --write',
    'wadi import apps --commit hydrate',
    'wadi import apps --revert --write',
    'wadi import --kubeconfig ~/.kube/config -o yaml',
  )
  command.addHelpText(
    'after',
    '\nPlaceholders of rules: {{name}}, {{namespace}}, {{project}}, {{destination}} (name or host of the cluster), {{destination.namespace}}, {{labels.KEY}}, and {{set}} in ApplicationSets. Those that begin with a dot, such as {{.Values.stage}}, stay in the templates of charts and ApplicationSets. The name of the Application stays the name of a release. With --check and --manifests, the exit code is 1 if objects differ.',
  )
}
