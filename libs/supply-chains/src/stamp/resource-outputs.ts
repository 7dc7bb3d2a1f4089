import type { Location } from '@wadi/errors/location.ts'
import { manifestIdentity } from '@wadi/manifests/manifest.ts'
import { partAt } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'
import { blueprintWord } from '../read/cartographer-objects.ts'
import type {
  Blueprint,
  BlueprintResource,
  OutputName,
  OutputPath,
  Template,
} from '../read/cartographer-objects.ts'
import { evaluatePath, plainSubject } from '../paths/json-path.ts'
import { PathError } from '../paths/path-error.ts'
import { recordedFields } from './recorded-outputs.ts'
import type { RecordedOutputs } from './recorded-outputs.ts'

/** An output whose value is not known; thrown when a resource needs it. */
export class WithheldOutput extends PathError {
  /** The place of the output's declaration; undefined if its resource has failed, which is an error of its own. */
  readonly at: Location | undefined

  constructor(message: string, at?: Location) {
    super(message)
    this.at = at
  }
}

/** The outputs of a resource for others. */
export type ResourceOutputs = ReadonlyMap<OutputName, Located | WithheldOutput>

/** The inputs from which a resource's outputs are read. */
export interface OutputInputs {
  blueprint: Blueprint
  resource: BlueprintResource
  recorded: RecordedOutputs
}

/** Returns the outputs of a stamped object: read from the object itself, else as they are recorded in git. */
export function readOutputs(template: Template, stamped: Located, inputs: OutputInputs): ResourceOutputs {
  const outputs = new Map<OutputName, Located | WithheldOutput>()
  for (const output of template.outputs) {
    const found = readStamped(output, stamped)
    outputs.set(
      output.name,
      typeof found === 'object'
        ? found
        : (recordedOutput(output.name, inputs) ?? missing(output, stamped, found, inputs)),
    )
  }
  return outputs
}

/** Returns the outputs of a resource that could not be stamped: what is recorded, and nothing else. */
export function outputsOfFailed(inputs: OutputInputs): ResourceOutputs {
  const names: OutputName[] = ['url', 'revision', 'image', 'config']
  const withheld = new WithheldOutput(`resource [${inputs.resource.name}] has failed`)
  return new Map(names.map((name) => [name, recordedOutput(name, inputs) ?? withheld]))
}

/** Returns an output as it is recorded in git. */
export function recordedOutput(name: OutputName, { resource, recorded }: OutputInputs): Located | undefined {
  return recorded.byResource.get(resource.name)?.get(name)
}

/** Returns why there is none when the path leads to no value. */
function readStamped(output: OutputPath, stamped: Located): Located | string {
  try {
    const found = evaluatePath(output.path, plainSubject(stamped))
    return found.value === null ? `there is null at ${output.path}` : found
  } catch (error) {
    if (!(error instanceof PathError)) throw error
    return error.message
  }
}

function missing(
  output: OutputPath,
  stamped: Located,
  reason: string,
  { blueprint, resource, recorded }: OutputInputs,
): WithheldOutput {
  const field = ['previousOutputs', resource.name, ...recordedFields[output.name]].join('.')
  return new WithheldOutput(
    `unable to retrieve outputs [${output.path}] from stamped object [${identityText(stamped)}] for resource [${resource.name}] in ${blueprintWord(blueprint)} [${blueprint.name}]: failed to evaluate json path '${output.path}': ${reason}; record the value in ${recorded.file} as ${field}`,
    output.at,
  )
}

function identityText(stamped: Located): string {
  const text = (...path: string[]): string => {
    const value = partAt(stamped, path)?.value
    return typeof value === 'string' ? value : ''
  }
  const { group, kind } = manifestIdentity({ apiVersion: text('apiVersion'), kind: text('kind') })
  const name = text('metadata', 'name') || text('metadata', 'generateName')
  return `${text('metadata', 'namespace')}/${name}] of type [${group === '' ? kind : `${kind}.${group}`}`
}
