import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { formatLocation, type Location } from '@wadi/errors/location.ts'
import { placesBelow } from '@wadi/fields/field-places.ts'
import type { Announcement } from '../announcements/announcement.ts'
import { finderOf } from '../announcements/same-parameter.ts'
import { readAnnouncements } from '../announcements/read-announcements.ts'
import { withUi } from '../announcements/with-ui.ts'
import { type Fields, type Reading, below, isAbsent, itemsOf, readFields, rejection } from '../reading.ts'
import { readFlag, readText } from '../values/scalar.ts'
import { isSteeringVariable } from '../variables/steering-variable.ts'
import type { PluginDefinition, UiEntry } from './plugin.ts'
import { readCommand } from './read-command.ts'

/** The fields about parameters of a plugin's file. */
export type PluginParameters = Pick<
  PluginDefinition,
  'announcements' | 'announce' | 'ui' | 'validation' | 'unprefixedNames' | 'variableNames' | 'sendDefaults'
>

const staticFields = ['static', 'announcement'] as const
const knownFields = [...staticFields, 'ui', 'dynamic', 'command', 'args', 'validation', 'env', 'sendDefaults']

/**
 * Reads what the file says of parameters in every shape of the proposal: a list beside `dynamicParameters`,
 * `{ui, static, dynamic}` and `{announcement, command, args}`.
 *
 * @throws InvalidInputError when two shapes say the same thing, or a part of one is wrong.
 */
export function readPluginParameters(
  spec: Reading,
  specFields: Fields,
  warnings: string[],
): PluginParameters {
  const value = specFields.get('parameters')
  const at = below(spec, 'parameters')
  const isList = Array.isArray(value)
  const fields = readFields(at, isList ? { static: value } : value, knownFields)
  const ui = readUi(below(at, 'ui'), fields.get('ui'))
  const list = isList ? at : undefined
  const read = readStatic(at, fields, list)
  warnings.push(...read.warnings)
  const env = readFields(below(at, 'env'), fields.get('env'), ['unprefixed', 'names'])
  return {
    announcements: read.announcements.map((announcement) => withUi(announcement, ui)),
    announce: readAnnounce(spec, specFields, at, fields),
    ui,
    validation: readChoice(below(at, 'validation'), fields.get('validation'), ['compat', 'strict']),
    // Without quotes YAML reads `off` as false.
    unprefixedNames: readChoice(
      below(at, 'env', 'unprefixed'),
      env.get('unprefixed') === false ? 'off' : env.get('unprefixed'),
      ['named', 'guarded', 'announced', 'off'],
    ),
    variableNames: readVariableNames(below(at, 'env', 'names'), env.get('names')),
    sendDefaults: readFlag(below(at, 'sendDefaults'), fields.get('sendDefaults')),
  }
}

function readStatic(at: Reading, fields: Fields, list: Reading | undefined) {
  const present = staticFields.filter((name) => !isAbsent(fields.get(name)))
  if (present.length > 1) throw rejection(at, `has ${present.join(' and ')}, which say the same; keep one`)
  const [name = 'static'] = present
  const { path } = list ?? below(at, name)
  const places = placesBelow(at.places, ...path)
  const read = readAnnouncements(fields.get(name), places)
  refuseDoubles(read.announcements, (index) => places.at([index]))
  return read
}

/** Nobody could say which of two announcements of one parameter applies. */
function refuseDoubles(
  announcements: readonly Announcement[],
  placeOf: (index: number) => Location | undefined,
): void {
  const { find, add } = finderOf<Announcement & { index: number }>([])
  for (const [index, announcement] of announcements.entries()) {
    const other = find(announcement)
    if (other !== undefined) {
      const first = placeOf(other.index)
      const before = first === undefined ? '' : ` at ${formatLocation(first)}`
      throw new InvalidInputError(
        `parameter ${JSON.stringify(announcement.name)} is announced already${before}; keep one, or give each a group of its own`,
        { at: placeOf(index) },
      )
    }
    add({ ...announcement, index })
  }
}

function readAnnounce(
  spec: Reading,
  specFields: Fields,
  at: Reading,
  fields: Fields,
): readonly string[] | undefined {
  const inline = isAbsent(fields.get('command'))
    ? undefined
    : { command: fields.get('command'), args: fields.get('args') }
  const shapes: readonly [Reading, unknown][] = [
    [below(spec, 'dynamicParameters'), specFields.get('dynamicParameters')],
    [below(at, 'dynamic'), fields.get('dynamic')],
    [at, inline],
  ]
  const present = shapes.filter(([, value]) => !isAbsent(value))
  const [first, second] = present
  if (second !== undefined) {
    const names = present.map(([{ path }]) => path.join('.')).join(' and ')
    throw rejection(second[0], `${names} both name the command that announces; keep one`)
  }
  return first && readCommand(...first)
}

/** The first choice is the default. */
function readChoice<Choice extends string>(
  reading: Reading,
  value: unknown,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const written = readText(reading, value)
  const choice = written === '' ? choices[0] : choices.find((candidate) => candidate === written)
  if (choice === undefined) {
    throw rejection(reading, `${JSON.stringify(written)} is none of ${choices.join(', ')}`)
  }
  return choice
}

function readVariableNames(reading: Reading, value: unknown): string[] {
  return itemsOf(reading, value).map((item, index) => {
    const at = below(reading, index)
    const name = readText(at, item)
    if (!/^[A-Z_][A-Z0-9_]*$/.test(name)) {
      throw rejection(
        at,
        `${JSON.stringify(name)} is not a name for a parameter's variable; use upper-case letters, digits and "_"`,
      )
    }
    if (!isSteeringVariable(name)) return name
    throw rejection(
      at,
      `${name} decides how programs work, so no parameter may set it; read PARAM_${name} in the command instead`,
    )
  })
}

function readUi(reading: Reading, value: unknown): UiEntry[] {
  return itemsOf(reading, value).map((item, index) => readUiEntry(below(reading, index), item))
}

function readUiEntry(reading: Reading, value: unknown): UiEntry {
  const fields = readFields(reading, value, ['name', 'group', 'title', 'tooltip', 'userCanAddMore'])
  const text = (name: string) => readText(below(reading, name), fields.get(name))
  const [name, group] = [text('name'), text('group')]
  if ((name === '') === (group === '')) {
    throw rejection(reading, 'needs either the name of a parameter or a group')
  }
  return {
    name,
    group,
    title: isAbsent(fields.get('title')) ? undefined : text('title'),
    tooltip: isAbsent(fields.get('tooltip')) ? undefined : text('tooltip'),
    userCanAddMore: isAbsent(fields.get('userCanAddMore'))
      ? undefined
      : readFlag(below(reading, 'userCanAddMore'), fields.get('userCanAddMore')),
  }
}
