import { create } from '@bufbuild/protobuf'
import { GatesSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { InspectedDirectory } from '../inspect/inspect.ts'
import type { SourceBatch } from '../inspect/source-batches.ts'

/** Returns the sources of a batch, which name the definitions that other directories of the branch have for them. */
export function withDefinitions({
  items,
  sources,
}: SourceBatch<InspectedDirectory>): SourceBatch<InspectedDirectory>['sources'] {
  return sources.map((source, index) => {
    const { definitions } = items[index]?.definitions ?? {}
    if (definitions === undefined) return source
    const branchDefinitionIds = definitions.map(({ digest }) => digest)
    return { ...source, gates: create(GatesSchema, { ...source.gates, branchDefinitionIds }) }
  })
}

/** Returns those definitions, each as a set. */
export function definitionSets(
  items: readonly InspectedDirectory[],
): { id: string; files: { file: string; text: string }[] }[] {
  const all = items.flatMap(({ definitions }) => definitions?.definitions ?? [])
  const byDigest = new Map(all.map((definition) => [definition.digest, definition]))
  return Array.from(byDigest.values(), ({ digest, file, text }) => ({ id: digest, files: [{ file, text }] }))
}
