import type { JsonObject } from '@bufbuild/protobuf'
import type { Command } from 'commander'
import { qualifiedName } from '../applications/application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { InputObject } from '../objects/object-input.ts'

/** The flags of commands that take ApplicationSets from files. */
export interface SetInputFlags {
  recursive?: boolean
  appsetNamespace?: string
}

/** Adds the argument and flags of a command that takes ApplicationSets from files. */
export function addSetInput(command: Command): Command {
  return command
    .argument('<input...>', 'file, directory, URL or - for standard input')
    .option('-R, --recursive', 'include subdirectories')
    .option('-N, --appset-namespace <namespace>', 'namespace of sets whose YAML has none')
}

/**
 * Reads the ApplicationSets of all inputs and checks each, before anything is sent. A namespace in the YAML wins over
 * that of the command line, with a message.
 * @throws CommandFailure (`file:line: …`) for an object that is not an ApplicationSet, has no name or occurs twice, and when
 *   there is none at all; otherwise as `readObjects`.
 */
export async function readApplicationSets(
  session: CommandSession,
  inputs: readonly string[],
  flags: SetInputFlags,
): Promise<InputObject[]> {
  const { readObjects } = await import('../objects/object-input.ts')
  const { requireKnownKind } = await import('@wadi/resources/kinds.ts')
  const { signal } = session
  const sets = await readObjects(inputs, { recursive: flags.recursive ?? false, signal })
  if (sets.length === 0) throw new CommandFailure('the input holds no ApplicationSet')
  const seen = new Map<string, InputObject>()
  for (const set of sets) {
    checkSet(set, requireKnownKind)
    set.object = withNamespace(session, set.object, flags.appsetNamespace ?? '')
    const key = qualifiedName(set.object)
    const other = seen.get(key)
    if (other) {
      const places = `${other.origin} and ${set.origin}`
      throw new CommandFailure(`ApplicationSet ${key} occurs twice, in ${places}; remove one`)
    }
    seen.set(key, set)
  }
  return sets
}

function checkSet(
  set: InputObject,
  requireKnownKind: (object: { apiVersion: string; kind: string }) => string,
): void {
  const { object } = set
  const [apiVersion, kind] = [textAt(object, 'apiVersion'), textAt(object, 'kind')]
  const name = textAt(object, 'metadata', 'name')
  if (kind !== 'ApplicationSet') {
    throw new CommandFailure(
      `${set.origin}: ${kind} ${name} is not an ApplicationSet; give only ApplicationSet files`,
    )
  }
  try {
    requireKnownKind({ apiVersion, kind })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new CommandFailure(`${set.origin}: ${name}: ${error.message}`, undefined, { cause: error })
  }
  if (name === '') throw new CommandFailure(`${set.origin}: ApplicationSet has no metadata.name`)
}

function withNamespace(session: CommandSession, set: JsonObject, namespace: string): JsonObject {
  const own = textAt(set, 'metadata', 'namespace')
  if (namespace === '' || own === namespace) return set
  if (own === '') return { ...set, metadata: { ...objectAt(set, 'metadata'), namespace } }
  const name = textAt(set, 'metadata', 'name')
  session.warn(`ApplicationSet '${name}' keeps the namespace of its YAML, "${own}"; -N does not change it`)
  return set
}

/**
 * Makes a call for a set of the input.
 * @throws CommandFailure (`file:line: name: …`) when the call fails.
 */
export async function callForSet<Answer>(set: InputObject, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    const { errorText } = await import('../command-line/error-text.ts')
    const place = `${set.origin}: ${textAt(set.object, 'metadata', 'name')}`
    throw new CommandFailure(`${place}: ${await errorText(error)}`, undefined, { cause: error })
  }
}
