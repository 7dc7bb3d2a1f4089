const functionPattern = /^func schema_k8sio_api_([a-z]+)_(v\w+?)_(\w+)\(/
const propertyPattern = /^\t{5}"(?<property>[^"]+)": \{$/
const enumerationPattern = /^\t+Enum: +\[\]interface\{\}\{(?<values>.*)\},?/

/**
 * Reads the enumerations of the fields of k8s.io/api from the code that Kubernetes generates its schemas with.
 * @returns the values by `<definition> <field>`; those of items and of values of an object are the field's
 */
export function readEnumerations(generated: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  let definition: string | undefined
  let field = ''
  for (const line of generated.split('\n')) {
    if (line.startsWith('func ')) definition = definitionName(line)
    const { property } = propertyPattern.exec(line)?.groups ?? {}
    if (property !== undefined) field = property
    const { values } = enumerationPattern.exec(line)?.groups ?? {}
    if (values === undefined || definition === undefined) continue
    found.set(`${definition} ${field}`, JSON.parse(`[${values}]`))
  }
  return found
}

function definitionName(line: string): string | undefined {
  const [, group, version, kind] = functionPattern.exec(line) ?? []
  return kind === undefined ? undefined : `io.k8s.api.${group}.${version}.${kind}`
}
