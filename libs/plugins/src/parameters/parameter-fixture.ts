import type { Parameter } from './parameter.ts'

/** A parameter of Argo CD's form that says what is given and nothing else. */
export function parameterOf(fields: Partial<Parameter> & { name: string }): Parameter {
  return { group: '', form: 'flat', itemType: '', warnings: [], ...fields }
}
