import { Option } from 'commander'
import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { CommandFailure } from '../command-failure.ts'
import { explain } from '../command-help.ts'
import { collect } from '../command-line-values.ts'
import type { CommandSession } from '../command-session.ts'
import { addPluginFlags, type PluginFlags } from '../plugin-flags.ts'

interface RenderFlags extends PluginFlags {
  repoRoot?: string
  namespace: string
  app: string
  values?: string[]
  set?: string[]
  output: 'yaml' | 'json' | 'name'
}

/** Adds `render`. */
export function addRenderCommand(program: Command, session: CommandSession): void {
  const command = addPluginFlags(program.command('render'))
    .argument('<folder>', 'folder of a working tree')
    .option('--repo-root <folder>', 'root of the repository (default: the nearest parent with .git)')
    .option('--namespace <namespace>', 'destination namespace, which Helm gets', '')
    .option('--app <name>', 'Application whose .argocd-source-<name>.yaml counts', '')
    .option('-f, --values <file>', 'Helm value file, relative to the folder (repeatable)', collect)
    .option('--set <name=value>', 'Helm parameter (repeatable)', collect)
    .addOption(
      new Option('-o, --output <format>', 'output').choices(['yaml', 'json', 'name']).default('yaml'),
    )
    .action((folder: string, flags: RenderFlags) => renderFolderTo(session, folder, flags))
  explain(
    command,
    'Render a folder on this machine as the server would, byte for byte; no server is needed.',
    [
      'wadi render environments/prod',
      'wadi render charts/web --namespace web --set image.tag=v2 -o name',
      'wadi render apps/greeting --plugin plugins/trivial/plugin.yaml',
    ],
  )
  command.addHelpText(
    'after',
    '\nOptions in .argocd-source.yaml win over --values and --set, as on the server.',
  )
}

async function renderFolderTo(session: CommandSession, folder: string, flags: RenderFlags): Promise<void> {
  const { renderFolder } = await import('../render-folder.ts')
  const { openLocalPlugins } = await import('../local-plugins.ts')
  await using plugins = await openLocalPlugins(flags, session)
  const { manifest, manifests, notices } = await renderFolder({
    folder,
    repositoryRoot: flags.repoRoot,
    sourceOptions: helmOptions(flags),
    applicationName: flags.app,
    destinationNamespace: flags.namespace,
    plugins,
    signal: session.signal,
  })
  for (const notice of notices) session.warn(notice)
  if (flags.output === 'yaml') process.stdout.write(manifest)
  if (flags.output === 'json') {
    const { indentJson } = await import('../json-indent.ts')
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

function helmOptions(flags: RenderFlags): JsonObject {
  const { values, set } = flags
  if (!values && !set) return {}
  return {
    helm: {
      ...(values && { valueFiles: values }),
      ...(set && { parameters: set.map(parameter) }),
    },
  }
}

function parameter(text: string): JsonObject {
  const split = text.indexOf('=')
  if (split < 1) throw new CommandFailure(`--set takes name=value, not ${JSON.stringify(text)}`, 1)
  return { name: text.slice(0, split), value: text.slice(split + 1) }
}
