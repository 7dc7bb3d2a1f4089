import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someOf } from '@wadi/errors/some-of.ts'
import type { PluginDefinition } from '@wadi/plugins/file/plugin.ts'
import type { AppStreamRequest } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import type { CmpServerContext } from '../context.ts'
import { parameterArguments } from '../environment/parameter-environment.ts'
import { generatedManifests } from '../plugin/generated-manifests.ts'
import { parametersToGenerate } from '../plugin/parameters-to-generate.ts'
import { type PluginRun, withFiles } from '../run/plugin-run.ts'

const maxWarnings = 100

/**
 * Makes the manifests of an application: its parameters are completed and checked, then `init` and `generate` run in the
 * same copy of its files.
 */
export function generateManifest(context: CmpServerContext) {
  return (requests: AsyncIterable<AppStreamRequest>, call: HandlerContext) =>
    withFiles(context, requests, call, async (run) => {
      const { plugin } = run
      const missing = await context.missingVariables(run.request.others)
      const given = await parametersToGenerate(run, context.dynamicKnowledge)
      const environment = await run.environment(given.parameters, given.announcements)
      const warnings = [missing, ...given.warnings, ...environment.warnings]
        .filter((warning) => warning !== '')
        .map(run.clean)
      if (warnings.length > 0) context.events.warned(warnings.slice(0, maxWarnings))
      const skipped = skippedNames(context, run, environment.skipped)
      const named = parameterArguments({
        parameters: given.parameters ?? [],
        announcements: given.announcements,
      })
      const text = await withCause(missing, async () => {
        if (plugin.init !== undefined) await run.command('init', plugin.init, environment)
        return (await run.command('generate', [...plugin.generate, ...named], environment)).text
      })
      const manifests = generatedManifests(text, context.commands.maxOutputBytes)
      if (manifests.length === 0) requireOutput(plugin)
      return {
        manifests,
        warnings: someOf([...warnings, ...skipped], maxWarnings),
      }
    })
}

function requireOutput({ name, validation }: PluginDefinition): void {
  if (validation !== 'strict') return
  throw new InvalidInputError(
    `plugin ${name} printed no manifests, and its file says "validation: strict"; let the command fail where something is missing, or print at least one object`,
  )
}

/** Adds what may be the cause to the message of a failure. */
async function withCause<T>(cause: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (cause === '' || !(error instanceof InvalidInputError)) throw error
    throw error.with({ reason: `${error.reason}\n${cause}` })
  }
}

function skippedNames(context: CmpServerContext, run: PluginRun, ownNames: readonly string[]): string[] {
  const skippedVariables = run.request.skipped
  context.events.variablesSkipped([...skippedVariables, ...ownNames])
  const warnings = []
  if (skippedVariables.length > 0) {
    warnings.push(
      `variables left out, because they are not part of the plugin protocol: ${skippedVariables.join(', ')}`,
    )
  }
  if (ownNames.length > 0) {
    warnings.push(
      `parameters that the plugin gets only as PARAM_ variables, because these names are taken or reserved: ${ownNames.join(', ')}`,
    )
  }
  return warnings
}
