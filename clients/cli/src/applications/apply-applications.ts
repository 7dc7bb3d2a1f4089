import type { Client } from '@connectrpc/connect'
import type {
  AppliedApplication,
  ApplicationService,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { firstDrySource } from './dry-sources.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { errorText } from '../command-line/error-text.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import type { InputObject } from '../objects/object-input.ts'

/** The most bytes of one call; servers take 4 MiB. */
const maxCallBytes = 3 * 1024 * 1024

/** Options of storing Applications. */
interface ApplyOptions {
  dryRun: boolean
  /** True if answers are to be without the stored objects. */
  outcomesOnly: boolean
  signal: AbortSignal
  /** Called after each request with the number of Applications of the input that it processed. */
  progress: (done: number) => void
}

/**
 * Stores Applications with as few calls as their size allows: those of one branch together, so that it is hydrated once.
 * Returns the server's answers in the order of the input.
 * @throws CommandFailure with the places of those that are refused
 */
export async function applyApplications(
  client: Client<typeof ApplicationService>,
  inputs: readonly InputObject[],
  { dryRun, outcomesOnly, signal, progress }: ApplyOptions,
): Promise<AppliedApplication[]> {
  const byBranch = [...Map.groupBy(inputs, branchOf).values()].flat()
  const answers = new Map<InputObject, AppliedApplication>()
  for (const part of partsOf(byBranch)) {
    const applications = part.map(({ object }) => object)
    try {
      const { results } = await client.applyApplications({ applications, dryRun, outcomesOnly }, { signal })
      for (const [index, input] of part.entries()) {
        const result = results[index]
        if (result) answers.set(input, result)
      }
    } catch (error) {
      throw new CommandFailure(withPlaces(part, await errorText(error)), undefined, { cause: error })
    }
    progress(answers.size)
  }
  return inputs.flatMap((input) => answers.get(input) ?? [])
}

function branchOf({ object }: InputObject): string {
  const at = (...path: string[]) => textAt(object, 'spec', 'sourceHydrator', ...path)
  return branchKey(
    at('syncSource', 'repoURL') || textAt(firstDrySource(object), 'repoURL'),
    at('hydrateTo', 'targetBranch') || at('syncSource', 'targetBranch'),
  )
}

function* partsOf(inputs: readonly InputObject[]): Generator<InputObject[]> {
  let part: InputObject[] = []
  let bytes = 0
  for (const input of inputs) {
    const size = Buffer.byteLength(JSON.stringify(input.object)) + 1
    if (part.length > 0 && bytes + size > maxCallBytes) {
      yield part
      part = []
      bytes = 0
    }
    part.push(input)
    bytes += size
  }
  if (part.length > 0) yield part
}

/** Puts `file:line: ` in front of each line of an error that names an Application of the input. */
function withPlaces(inputs: readonly InputObject[], text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const name = /Application (\S+): /.exec(line)?.[1]
      const input =
        name === undefined ? undefined : inputs.find(({ object }) => qualifiedName(object) === name)
      return input ? `${input.origin}: ${line}` : line
    })
    .join('\n')
}

function qualifiedName(object: InputObject['object']): string {
  return `${textAt(object, 'metadata', 'namespace') || 'argocd'}/${textAt(object, 'metadata', 'name')}`
}
