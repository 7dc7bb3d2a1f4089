import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addPluginFlags, type PluginFlags } from '../plugins/plugin-flags.ts'
import { addValueFlags, type ValueFlags, valueFlagsHelp } from '../parameters/value-flags.ts'
import { branchOption, reportVersions } from '../tools/report-versions.ts'
import { outputOption } from '../output/output-option.ts'

interface RenderFlags extends PluginFlags, ValueFlags {
  repoRoot?: string
  namespace: string
  app: string
  branch?: string
  output: 'yaml' | 'json' | 'name'
  outputDir?: string
}

/** Defines `render`. */
export function defineRenderCommand(command: Command, session: CommandSession): void {
  addValueFlags(addPluginFlags(command))
    .argument('<directory>', 'directory of a working tree')
    .option(
      '--repo-root <directory>',
      'root of the repository (default: the nearest parent directory with .git)',
    )
    .option('--namespace <namespace>', 'destination namespace, passed to Helm', '')
    .option('--app <name>', 'Application whose .argocd-source-<name>.yaml applies', '')
    .addOption(branchOption())
    .option('--set <name=value>', 'Helm parameter of a chart (repeatable)', collect)
    .option('--kube-version <version>', 'Kubernetes version that a chart sees, for example 1.35')
    .option(
      '-a, --api-versions <group/version>',
      'API versions that a chart sees, separated by commas (repeatable)',
      collect,
    )
    .addOption(outputOption('yaml', 'json', 'name'))
    .option(
      '--output-dir <directory>',
      'write manifest.yaml and files/ into a new or empty directory, print nothing',
    )
    .action((directory: string, flags: RenderFlags) => renderDirectoryTo(session, directory, flags))
  showExamples(
    command,
    'wadi render environments/prod',
    'wadi render charts/web --namespace web --set image.tag=v2 -o name',
    'wadi render charts/web --kube-version 1.35 --api-versions monitoring.coreos.com/v1',
    'wadi render apps/shop/prod --set-values replicas=3',
    'wadi render packages/web --values packages/web/values.yaml --set-values app.replicas=3,app.logLevel=debug',
    'wadi render packages/web --output-dir hydrated/web',
    'wadi render apps/greeting --plugin plugins/trivial/plugin.yaml',
  )
  command.addHelpText('after', `\n${valueFlagsHelp}`)
}

async function renderDirectoryTo(
  session: CommandSession,
  directory: string,
  flags: RenderFlags,
): Promise<void> {
  const { renderDirectory } = await import('../render/render-directory.ts')
  const { openLocalPlugins } = await import('../plugins/local-plugins.ts')
  await using plugins = await openLocalPlugins(flags, session)
  const { manifest, manifests, files, warnings, versions } = await renderDirectory({
    directory,
    repositoryRoot: flags.repoRoot,
    sourceOptions: {},
    values: flags,
    applicationName: flags.app,
    destinationNamespace: flags.namespace,
    branch: flags.branch,
    plugins,
    warn: session.warn,
    signal: session.signal,
  })
  reportVersions(versions, session)
  for (const warning of warnings) session.warn(warning)
  if (flags.outputDir !== undefined) {
    const { writeDirectory } = await import('../render/write-directory.ts')
    await writeDirectory(flags.outputDir, { manifest, files })
    return
  }
  if (flags.output === 'yaml') process.stdout.write(manifest)
  if (flags.output === 'json') {
    const { indentJson } = await import('../output/json-indent.ts')
    process.stdout.write(`${indentJson(`[${manifests.join(',')}]`)}\n`)
  }
  if (flags.output === 'name') {
    const { manifestFromJson } = await import('@wadi/manifests/manifest-json.ts')
    const { manifestIdentity } = await import('@wadi/manifests/manifest.ts')
    for (const text of manifests) {
      const { group, kind, name } = manifestIdentity(manifestFromJson(text))
      process.stdout.write(`${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}\n`)
    }
  }
}
