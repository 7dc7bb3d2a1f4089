import { yamlSplices } from '@wadi/rendering/parameters/yaml-edit/edit-yaml.ts'
import { applySplices } from '@wadi/rendering/parameters/yaml-edit/yaml-splice.ts'
import { collectionOf, yamlRoots } from '@wadi/rendering/parameters/yaml-edit/yaml-tokens.ts'
import type { ObjectField } from './import-item.ts'
import { entryAt, type ObjectPlace } from './object-places.ts'

/**
 * Gives an object of a YAML or JSON text some fields: all other bytes stay. The caller reads the result again, as anchors and merge keys are
 * not followed.
 */
export function textWithFields(text: string, place: ObjectPlace, fields: readonly ObjectField[]): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const isFlow = collectionOf(entryAt(yamlRoots(text), place, []))?.isFlow === true
  const whole = isFlow || text.endsWith('\n') ? text : `${text}${lineBreak}`
  return fields.reduce((before, field) => {
    const object = entryAt(yamlRoots(before), place, [])
    return applySplices(before, yamlSplices(before, object, field), lineBreak)
  }, whole)
}
