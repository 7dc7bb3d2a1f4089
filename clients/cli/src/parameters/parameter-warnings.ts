import type { Parameter } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { printable } from '../output/printable.ts'

/**
 * Returns what stands below a table of parameters: what is wrong with them, which of them nobody announces, so that a
 * wrong name is seen, and further warnings.
 */
export function parameterWarnings(parameters: readonly Parameter[], warnings: readonly string[]): string {
  const problems = parameters.flatMap(({ name, problems: texts }) => texts.map((text) => `${name}: ${text}`))
  const unannounced = parameters.filter(({ announced }) => !announced).map(({ name }) => name)
  return section('Problems', problems) + section('Not announced', unannounced) + section('Warnings', warnings)
}

function section(title: string, texts: readonly string[]): string {
  if (texts.length === 0) return ''
  return `\n${title}:\n${texts.map((text) => `- ${printable(text)}\n`).join('')}`
}
