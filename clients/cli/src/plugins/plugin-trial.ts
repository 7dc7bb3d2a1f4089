import { basename, relative, resolve, sep } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Assignment } from '@wadi/plugins/parameters/assign-parameters.ts'
import { type Parameter, ParameterSchema } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { describeParameters } from '@wadi/rendering/parameters/describe/describe-parameters.ts'
import { editParameters } from '@wadi/rendering/parameters/edit/edit-parameters.ts'
import { withFile } from '@wadi/file-trees/with-file.ts'
import type { Plugin, Plugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import type { RenderSource } from '@wadi/rendering/source/source.ts'
import { existingDirectory } from '../render/existing-directory.ts'
import { nearestRepository } from '../render/nearest-repository.ts'
import { openWorkingTree } from '../render/working-tree.ts'
import { type InspectedTree, inspectTree, type LocalRender } from '../render/render-tree.ts'

/** A plugin that is tried on a directory. */
export interface PluginTrial {
  readonly plugin: Plugin
  /** True if the plugin's rule matches the directory; one without a rule matches what names it. */
  readonly matched: boolean
  /** The reason why it does not. */
  readonly reason: string
  /** The parameters as users would see them, with the values of the directory and of the trial. */
  readonly parameters: Parameter[]
  readonly warnings: string[]
  /** Runs the plugin; nothing for a directory that is not its own. */
  generate(): Promise<LocalRender | undefined>
}

/** The directory of a trial and the Application that it stands for. */
interface TrialPlace {
  readonly directory: string
  /** Default: the directory's name. */
  readonly app?: string
  readonly namespace: string
  /** Takes what the user should know of the working tree. */
  readonly warn: (message: string) => void
}

const revision = '0'.repeat(40)

/**
 * Shows a plugin a directory and has it announce, with some parameters set as `app set` would set them.
 * @throws whatever the plugin throws
 */
export async function tryPlugin(
  plugins: Plugins,
  { directory, app = basename(resolve(directory)), namespace, warn }: TrialPlace,
  assignments: readonly Assignment[],
  signal: AbortSignal,
): Promise<PluginTrial> {
  const [plugin] = await plugins.list(signal)
  if (plugin === undefined) throw new NotFoundError('there is no plugin to try')
  const { tree, path } = await openDirectory(directory, warn)
  const source: RenderSource = {
    path,
    options: { plugin: plugin.discovery === undefined ? { name: plugin.name } : {} },
    destinationNamespace: namespace,
    applicationName: '',
    instance: { name: app, project: 'default' },
    repoUrl: '',
    targetRevision: 'HEAD',
    manifestGeneratePaths: '',
  }
  const inspect = (files: typeof tree) => inspectTree(files, source, revision, plugins, signal)
  let inspected: InspectedTree
  try {
    inspected = await inspect(tree)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    const nothing = { parameters: [], warnings: [], generate: async () => undefined }
    return { plugin, matched: false, reason: ownReason(plugin, error.message), ...nothing }
  }
  let files = tree
  if (assignments.length > 0) {
    const changes = { assignments, removals: [] }
    const edited = await editParameters(tree, inspected.inspection, source, changes, signal)
    files = withFile(tree, edited.path, edited.after)
    inspected = await inspect(files)
  }
  const { parameters, warnings } = await describeParameters(files, inspected.inspection, source, signal)
  const unnamed = `plugin ${plugin.name} has no discovery rule, so sources must name it`
  return {
    plugin,
    matched: true,
    reason: '',
    parameters: parameters.map((parameter) => create(ParameterSchema, parameter)),
    warnings: [...(plugin.discovery === undefined ? [unnamed] : []), ...warnings],
    generate: async () => {
      const rendered = await inspected.render()
      // The trial names the plugin in place of a file in git.
      const others = rendered.warnings.filter((warning) => !warning.startsWith('not in git: '))
      return { ...rendered, warnings: others }
    },
  }
}

/** An error has a line for each plugin, below one about naming one in git. */
function ownReason({ name }: Plugin, rejection: string): string {
  return rejection.split('\n').find((line) => line.startsWith(`${name}: `)) ?? rejection
}

/** The files of the repository around a directory, or of the directory alone, with its place in them. */
async function openDirectory(directory: string, warn: TrialPlace['warn']) {
  const path = await existingDirectory(directory)
  const root = nearestRepository(path)
  return { tree: await openWorkingTree(root, warn), path: relative(root, path).split(sep).join('/') }
}
