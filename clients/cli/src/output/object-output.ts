import type { JsonObject } from '@bufbuild/protobuf'

/** Prints objects as JSON or YAML: one alone as it is, several and none as a list. */
export async function printObjects(objects: readonly JsonObject[], format: 'json' | 'yaml'): Promise<void> {
  const { structuredText } = await import('./structured-output.ts')
  const [only, ...more] = objects
  process.stdout.write(structuredText(only && more.length === 0 ? only : objects, format))
}
