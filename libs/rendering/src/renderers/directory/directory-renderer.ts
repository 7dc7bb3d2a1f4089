import { create } from '@bufbuild/protobuf'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { noParameters } from '../../plan/parameter-view.ts'
import { type Plan, plainOutput, plainPlan } from '../../plan/plan.ts'
import { withRenderOptions } from '../../plan/render-options.ts'
import { type RendererWithOptions, isAskedFor, optionsFor } from '../../plan/renderer.ts'
import { directoryParameters, directoryTree } from './directory-parameters.ts'
import { type DirectoryFiles, planDirectory } from './directory-inputs.ts'
import { renderDirectory } from './render-directory.ts'
import { directoryOptionSchema } from './directory-option-schema.ts'

/** Directories of manifests, taken as they are, and of Jsonnet. */
export const directory: RendererWithOptions<'directory', typeof directoryOptionSchema> = {
  name: 'directory',
  options: { schema: directoryOptionSchema },
  noun: 'a plain directory or the source of a plugin',
  trialValues: 'none',
  detects: async () => true,
  async plan(source) {
    if (!(await isAskedFor(directory, source))) return undefined
    const { path, environment, trace, inputs, render } = source
    const given = render && withRenderOptions(source, render, 'directory')
    const options = optionsFor(directory, given?.options ?? source.options) ?? {}
    const files = await planDirectory(trace, path, options, environment, inputs)
    const tree = given && directoryTree(given.layers)
    const parameters = tree ? { ...noParameters, explain: async () => [tree] } : directoryParameters
    return { ...directoryPlan(files, inputs.paths()), parameters }
  },
}

function directoryPlan(files: DirectoryFiles, inputs: readonly string[]): Plan {
  return {
    ...plainPlan,
    renderer: 'directory',
    inputs,
    run: async (tree, context) => ({
      ...plainOutput,
      result: await renderDirectory(tree, files, context),
      record: create(RenderRecordSchema),
    }),
  }
}
