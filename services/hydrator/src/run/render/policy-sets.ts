import type { OperatorSettings } from '../../operator-settings.ts'
import type { RuledGate } from '../../gates/gate-rules.ts'

/** Returns the policies of the operator and the cluster that gates name, with their texts. */
export function policySetsOf(
  gates: readonly RuledGate[],
  { policyTexts = new Map() }: Pick<OperatorSettings, 'policyTexts'>,
): { id: string; files: { file: string; text: string }[] }[] {
  const sets = new Map<string, readonly string[]>()
  for (const { policies } of gates) if (policies) sets.set(policies.id, policies.files)
  return Array.from(sets, ([id, files]) => ({
    id,
    files: files.map((file) => ({ file, text: policyTexts.get(file) ?? '' })),
  }))
}
