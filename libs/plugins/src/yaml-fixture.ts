import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { locationOf, offsetOfPath } from '@wadi/manifests/yaml-source.ts'
import { withExactNumbers } from './exact-number.ts'

/** The value of a YAML text as readers are given it, and the places in it: `parameters` in `test.yaml`. */
export function yamlValue(text: string): [value: unknown, places: FieldPlaces] {
  const { source, documents } = readYaml(text, 'test.yaml')
  const [document] = documents
  if (document === undefined) throw new Error('the text holds no document')
  const { eventIndex, value } = document
  const at = (path: readonly PropertyKey[]) => {
    const steps = path.filter((step) => typeof step !== 'symbol')
    return locationOf(source, offsetOfPath(source, eventIndex, steps))
  }
  return [withExactNumbers(source, eventIndex, value), { subject: '', above: 'parameters', at }]
}
