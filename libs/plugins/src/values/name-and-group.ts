import { type Fields, type Reading, below, isAbsent, rejection } from '../reading.ts'
import { readScalar, readText } from './scalar.ts'

/**
 * The name of a parameter.
 *
 * @throws InvalidInputError when there is none.
 */
export function readName(reading: Reading, fields: Fields): string {
  const value = fields.get('name')
  const name = isAbsent(value) ? '' : readScalar(below(reading, 'name'), value).written
  if (name === '') throw rejection(reading, 'a parameter needs a name')
  return name
}

/**
 * The group of a parameter, which may also be called its section.
 *
 * @throws InvalidInputError when the two differ.
 */
export function readGroup(reading: Reading, fields: Fields): string {
  const text = (name: string) => readText(below(reading, name), fields.get(name))
  const [group, section] = [text('group'), text('section')]
  if (group !== '' && section !== '' && group !== section) {
    throw rejection(reading, `group ${JSON.stringify(group)} and section ${JSON.stringify(section)} differ`)
  }
  return group === '' ? section : group
}
