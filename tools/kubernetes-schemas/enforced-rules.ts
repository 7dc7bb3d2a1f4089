import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** The file that `tools/measure-kubernetes-rules.ts` writes: a rule, a definition and a field on each line. */
export const enforcedRulesFile = path.join(import.meta.dirname, 'enforced-rules.txt')

/** The rules of the published schemas that the API server enforces, as `<definition> <field>`. */
export interface EnforcedRules {
  readonly required: ReadonlySet<string>
  readonly enumerations: ReadonlySet<string>
  /** The enumerations of which the empty string is none; elsewhere it means that the field is not set. */
  readonly enumerationsWithoutEmpty: ReadonlySet<string>
}

/** Reads the rules that were measured. */
export async function readEnforcedRules(): Promise<EnforcedRules> {
  const lines = (await readFile(enforcedRulesFile, 'utf8')).split('\n')
  const of = (rule: string): ReadonlySet<string> =>
    new Set(lines.filter((line) => line.startsWith(`${rule} `)).map((line) => line.slice(rule.length + 1)))
  return {
    required: of('required'),
    enumerations: of('enum'),
    enumerationsWithoutEmpty: of('not-empty'),
  }
}
