import type { MadeInPass } from '../run/definitions/made-kinds.ts'
import type { RunContext } from '../run/run-context.ts'
import {
  type ComparedDirectories,
  type InspectedSide,
  inspectSide,
  type WantedSide,
} from './inspected-side.ts'
import { renderOnly } from './rendered-pairs.ts'

/** Inspects directories as `inspectSide` does, by the definitions that the branch would have with them. */
export async function inspectRevision(
  context: RunContext,
  of: ComparedDirectories,
  wanted: WantedSide,
  signal: AbortSignal,
): Promise<InspectedSide> {
  const side = await inspectSide(context, of, wanted, signal)
  const made = await madeDefinitions(context, side, signal)
  return made ? inspectSide(context, of, { ...wanted, made }, signal) : side
}

/** Renders what changes and has definitions on the branch, or is not there yet; returns undefined if there is nothing of it. */
async function madeDefinitions(
  context: RunContext,
  side: InspectedSide,
  signal: AbortSignal,
): Promise<MadeInPass | undefined> {
  const { run, outcome, plan } = side
  if (plan.wantsDefinitions.size === 0 || plan.changed.length === 0) return undefined
  const { definedGroups } = await import('../run/definitions/made-kinds.ts')
  const held = await context.known.objects(run.key, outcome.position.headSha)
  const mayDefine = plan.changed.filter(({ directory: { path } }) => {
    const text = held?.get(path)
    return text === undefined || definedGroups(text).size > 0
  })
  if (mayDefine.length === 0) return undefined
  const { noteMade } = await import('../run/definitions/note-made.ts')
  const made = { objects: new Map(), definitions: new Map(), passes: 1 }
  for await (const rendered of renderOnly(context, side, mayDefine, signal))
    if (rendered.error === '') noteMade(made, rendered, true)
  return made.objects.size === 0 ? undefined : made
}
