import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { endUsageWithTrouble, failWithTrouble } from '../command-line/comparison-trouble.ts'
import { intervalOption } from '../command-line/duration-value.ts'
import { outputOption } from '../output/output-option.ts'
import { addPluginFlags } from '../plugins/plugin-flags.ts'
import type { ShadowOptions } from '../shadow/run-shadow.ts'

/** Defines `shadow`. */
export function defineShadowCommand(command: Command, session: CommandSession): void {
  addPluginFlags(command)
    .argument(
      '[path...]',
      'files and directories with Applications and ApplicationSets that have sourceHydrator (default: this one)',
    )
    .option('--app <name>', 'NAME or NAMESPACE/NAME of what is compared (repeatable, default: all)', collect)
    .option('-l, --selector <labels>', 'labels of what is compared', '')
    .option(
      '--repo <url>',
      'URL by which ApplicationSets name this checkout (default: that of its remote "origin")',
    )
    .option('--kubeconfig <file>', 'the Applications are those of this cluster in place of files')
    .option('--watch', 'compare again and again, and print what is new, until it is ended')
    .addOption(intervalOption())
    .option('--metrics <address>', 'with --watch: serve metrics there, such as 127.0.0.1:9464')
    .addOption(outputOption('text', 'json', 'yaml'))
    .exitOverride(endUsageWithTrouble)
    .action((paths: string[], options: ShadowOptions) =>
      failWithTrouble(session, async () => {
        const { runShadow } = await import('../shadow/run-shadow.ts')
        process.exitCode = await runShadow(session, paths, options)
      }),
    )
  showExamples(
    command,
    'wadi shadow apps',
    'wadi shadow apps --app guestbook -o json',
    'wadi shadow --kubeconfig ~/.kube/config --watch --metrics 127.0.0.1:9464',
  )
  command.addHelpText(
    'after',
    '\nOutcomes: identical (the bytes are the same), equal (the objects are), differs, missing, failed. Values of Secrets are masked. Exit codes: 0 no object differs, 1 one differs or is missing, 2 an error, also one of an Application.',
  )
}
