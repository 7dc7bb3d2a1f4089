import { create } from '@bufbuild/protobuf'
import { TimeLimitError, InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '../tree/file-tree.ts'
import type { PluginPlan } from './plugin-plan.ts'
import type { PluginCall } from './plugins.ts'
import type { RenderContext, Rendered } from '../render-run.ts'
import { shellCommand } from '../sandbox/shell-quote.ts'

/**
 * Has a plugin render a source, and sorts and checks what it yields like the output of every renderer. `identity` is
 * that of the plugin that did it, which may have been changed since the plan was made.
 * @throws InvalidInputError for parameters that are written oddly if the plugin is strict, and what the plugin throws
 */
export async function renderPlugin(
  tree: FileTree,
  plan: PluginPlan,
  context: RenderContext,
): Promise<Rendered & { identity: string }> {
  const { plugin, call } = plan
  const { limits, workers, gitCredentials, signal } = context
  refuseOddities(plan)
  const credentials = plugin.wantsGitCredentials ? ((await gitCredentials?.()) ?? []) : []
  const generated = await generate(plan, context, {
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
  const { manifests, notices: found } = await workers.run(
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
    manifests,
    files: [],
    record: create(RenderRecordSchema, {
      commands: [shellCommand(['wadi', 'render', place])],
      tools: [{ name: `plugin ${plugin.name}`, version: generated.identity }],
      warnings,
    }),
    identity: generated.identity,
  }
}

function refuseOddities({ plugin, parameters, call }: PluginPlan): void {
  const oddities = parameters.flatMap(({ warnings }) => warnings)
  if (!plugin.isStrict || oddities.length === 0) return
  const listed = oddities.map((oddity) => `plugin.${oddity}`).join('; ')
  throw new InvalidInputError(
    `source "${call.path || '.'}": plugin ${plugin.name} is strict and takes no parameters that are written like this: ${listed}`,
  )
}

async function generate(
  { plugin }: PluginPlan,
  { limits, signal }: RenderContext,
  call: PluginCall,
): ReturnType<PluginPlan['plugin']['generate']> {
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
