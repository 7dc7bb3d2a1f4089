import type { MessageInitShape } from '@bufbuild/protobuf'
import type { PolicySetSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { OperatorSettings } from '../../operator-settings.ts'
import type { InspectedDirectory } from '../inspect/inspect.ts'

/** Returns the policies of the operator and the cluster that gates of some directories name, with their texts. */
export function policySetsOf(
  directories: readonly InspectedDirectory[],
  { policyTexts = new Map() }: Pick<OperatorSettings, 'policyTexts'>,
): MessageInitShape<typeof PolicySetSchema>[] {
  const sets = new Map<string, readonly string[]>()
  for (const { policies } of directories.flatMap(({ directory: { gates = [] } }) => gates))
    if (policies) sets.set(policies.id, policies.files)
  return Array.from(sets, ([id, files]) => ({
    id,
    files: files.map((file) => ({ file, text: policyTexts.get(file) ?? '' })),
  }))
}
