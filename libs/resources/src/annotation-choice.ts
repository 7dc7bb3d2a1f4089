import type { FieldReader } from '@wadi/fields/field-reader.ts'

/** Reads an annotation that is one word of a list; another word is an error, and undefined like no annotation. */
export function annotationChoice<Word extends string>(
  annotations: Readonly<Record<string, string>>,
  name: string,
  words: readonly Word[],
  reader: FieldReader,
): Word | undefined {
  const value = annotations[name]
  const found = words.find((word) => word === value)
  if (value === undefined || found !== undefined) return found
  const listed = words.join(', ').replace(/, (?=[^,]*$)/u, ' or ')
  reader.report(`annotation ${name} is ${JSON.stringify(value.slice(0, 100))}; give ${listed}`)
  return undefined
}
