import { blueprintWord } from '../read/cartographer-objects.ts'
import type { BlueprintResource, OutputName, ResourceInput } from '../read/cartographer-objects.ts'
import { WithheldOutput, recordedOutput } from './resource-outputs.ts'
import type { OutputInputs, ResourceOutputs } from './resource-outputs.ts'

/**
 * Returns the outputs of a resource that passes one of its inputs on instead of stamping an object; what the input does
 * not have may be recorded in git under the resource's own name.
 */
export function passedThrough(
  inputName: string,
  inputs: OutputInputs,
  outputs: ReadonlyMap<string, ResourceOutputs>,
): ResourceOutputs {
  const { resource, blueprint } = inputs
  const { field, references, names } = passable(resource)
  const input = references.find(({ name }) => name === inputName)
  const from = outputs.get(input?.resource ?? '')
  const where = `resource [${resource.name}] in ${blueprintWord(blueprint)} [${blueprint.name}]`
  const missing = new WithheldOutput(
    `unable to retrieve outputs from pass through [${inputName}] for ${where}: input [${inputName}] not found in ${field}`,
    resource.at,
  )
  return new Map(
    names.map((name) => {
      const passed = from?.get(name)
      return [
        name,
        passed instanceof WithheldOutput || passed === undefined
          ? (recordedOutput(name, inputs) ?? passed ?? missing)
          : passed,
      ]
    }),
  )
}

function passable(resource: BlueprintResource): {
  field: string
  references: readonly ResourceInput[]
  names: readonly OutputName[]
} {
  switch (resource.templateKind) {
    case 'ClusterImageTemplate':
      return { field: 'images', references: resource.images, names: ['image'] }
    case 'ClusterConfigTemplate':
      return { field: 'configs', references: resource.configs, names: ['config'] }
    default:
      return { field: 'sources', references: resource.sources, names: ['url', 'revision'] }
  }
}
