import { create } from '@bufbuild/protobuf'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { TimeLimitError, InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { pluginTool } from './plugin-tool.ts'
import type { PluginUse } from './plugin-use.ts'
import type { PluginCall } from './plugins.ts'
import { type PlanOutput, plainOutput } from '../../plan/plan.ts'
import type { RenderContext } from '../../run/render-run.ts'
import { shellCommand } from '@wadi/programs/shell-quote.ts'

/**
 * Has a plugin render a source, and sorts and checks what it yields like the output of every renderer.
 * @throws InvalidInputError for parameters that are written oddly if the plugin is strict, and what the plugin throws
 */
export async function runPlugin(tree: FileTree, use: PluginUse, context: RenderContext): Promise<PlanOutput> {
  const { plugin, call } = use
  const { limits, workers, gitCredentials, signal } = context
  refuseOddities(use)
  const credentials = plugin.wantsGitCredentials ? ((await gitCredentials?.()) ?? []) : []
  const generated = await generate(use, context, {
    ...call,
    tree,
    variables: [...call.variables, ...credentials],
  })
  const place = call.path || '.'
  const output = `output of plugin ${plugin.name} for ${place}`
  const bytes = generated.manifests.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (bytes > limits.toolOutputBytes) {
    throw new ResourceExhaustedError(
      `${output}: ${bytes} bytes, more than ${limits.toolOutputBytes}; split the application`,
    )
  }
  const {
    manifests,
    printed,
    warnings: found,
  } = await workers.run(
    {
      files: generated.manifests.map((text, index) => ({
        file: `${output}, object ${index + 1}`,
        text,
        jsonnet: false,
      })),
      jsonnet: undefined,
      textBytes: limits.toolOutputBytes,
      manifestBytes: limits.manifestBytes,
    },
    signal,
  )
  const warnings = [...generated.warnings.map((warning) => `plugin ${plugin.name}: ${warning}`), ...found]
  if (manifests.length === 0) {
    warnings.push(`plugin ${plugin.name} printed no manifests for ${place}, so there is nothing to apply`)
  }
  return {
    ...plainOutput,
    result: { manifests, printed, origins: [], originOf: [], warnings: [], textWarnings: [] },
    record: create(RenderRecordSchema, {
      commands: [shellCommand(['wadi', 'render', place])],
      tools: [pluginTool(plugin, generated.identity)],
      warnings,
    }),
    // It may have been changed since the plan was made.
    changedIdentities: generated.identity === plugin.identity ? [] : [generated.identity],
  }
}

function refuseOddities({ plugin, parameters, call }: PluginUse): void {
  const oddities = parameters.flatMap(({ warnings }) => warnings)
  if (!plugin.isStrict || oddities.length === 0) return
  throw new InvalidInputError(
    `source "${call.path || '.'}": plugin ${plugin.name} is strict and takes no parameters that are written like this: ${oddities.join('; ')}`,
  )
}

async function generate(
  { plugin }: PluginUse,
  { limits, signal }: RenderContext,
  call: PluginCall,
): ReturnType<PluginUse['plugin']['generate']> {
  const deadline = performance.now() + limits.timeoutMilliseconds
  const timeout = AbortSignal.timeout(limits.timeoutMilliseconds)
  try {
    return await plugin.generate({
      ...call,
      deadline,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
  } catch (cause) {
    if (!timeout.aborted || signal?.aborted === true) throw cause
    throw new TimeLimitError(
      `plugin ${plugin.name} did not finish ${call.path || '.'} within ${limits.timeoutMilliseconds / 1000} s and was stopped`,
      { cause },
    )
  }
}
