import { typeName } from '@wadi/fields/field-findings.ts'
import { unplaced } from '@wadi/fields/field-places.ts'
import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { parseExactJson } from '../exact-number.ts'
import { type Reading, below, typeOf, isAbsent, itemsOf, readFields, rejection } from '../reading.ts'
import { readGroup, readName } from '../values/name-and-group.ts'
import { readFlag, readText } from '../values/scalar.ts'
import { readDefault } from './announced-default.ts'
import { announcementFields } from './announcement-fields.ts'
import type { Announcement } from './announcement.ts'
import { readOptions, readUiConfig, shownType } from './ui-config.ts'

/** Announced parameters, and warnings about them with their places. */
interface ReadAnnouncements {
  announcements: Announcement[]
  warnings: string[]
}

/**
 * Reads the parameters that a plugin announces, each in any form of the proposal or in Argo CD's. The places are those of
 * the list.
 *
 * @throws InvalidInputError with the place and the position in the list.
 */
export function readAnnouncements(value: unknown, places: FieldPlaces): ReadAnnouncements {
  const warnings: string[] = []
  const reading: Reading = { places, path: [], onWarning: (_, placed) => warnings.push(placed) }
  const announcements = itemsOf(reading, value).map((item, index) =>
    readAnnouncement(below(reading, index), item),
  )
  return { announcements, warnings }
}

const dynamicError = 'error unmarshaling dynamic parameter output into ParametersAnnouncementResponse'

/**
 * Reads the JSON that a plugin's command prints to announce parameters; `null` is an empty list. It may repeat what a
 * repository says, so it makes no parameter an argument of a command: that the plugin's file alone can do.
 *
 * @throws InvalidInputError in Argo CD's words, with what was printed and what is expected.
 */
export function readDynamicAnnouncements(text: string): ReadAnnouncements {
  const value = parseOutput(text)
  if (value !== null && !Array.isArray(value)) throw unexpectedOutput(`found ${typeName(typeOf(value))}`)
  const { announcements, warnings } = readAnnouncements(value, unplaced(dynamicError, 'parameters'))
  const asArguments = announcements.filter(({ asArgument }) => asArgument).map(({ name }) => name)
  if (asArguments.length === 0) return { announcements, warnings }
  return {
    announcements: announcements.map((announcement) => ({ ...announcement, asArgument: false })),
    warnings: [...warnings, notAsArguments(asArguments)],
  }
}

function notAsArguments(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name))
  return `asArg is ignored in what a command announces (${someInLine(quoted, 5)}); announce these parameters in the plugin's file`
}

function parseOutput(text: string): unknown {
  if (text.trim() === '') throw unexpectedOutput('the command printed nothing')
  try {
    return parseExactJson(text)
  } catch (cause) {
    throw unexpectedOutput(`no valid JSON (${errorMessage(cause)})`, cause)
  }
}

function unexpectedOutput(found: string, cause?: unknown): InvalidInputError {
  const expected = 'expected a JSON list of parameters alone, like [{"name":"replicas","string":"1"}]'
  return new InvalidInputError(`${dynamicError}: ${found}; ${expected}`, { cause })
}

function readAnnouncement(reading: Reading, value: unknown): Announcement {
  const fields = readFields(reading, value, announcementFields)
  const text = (name: string) => readText(below(reading, name), fields.get(name))
  const flag = (name: string) => readFlag(below(reading, name), fields.get(name))
  const uiConfig = readUiConfig(below(reading, 'uiConfig'), fields.get('uiConfig'))
  const announced = readDefault(reading, fields)
  return {
    name: readName(reading, fields),
    title: text('title'),
    tooltip: text('tooltip'),
    group: readGroup(reading, fields),
    required: flag('required'),
    ...announced,
    itemType: shownType(announced.itemType, uiConfig),
    envVar: readEnvVar(below(reading, 'envVar'), fields.get('envVar')),
    asArgument: flag('asArg'),
    options: readOptions(reading, fields, announced.itemType, uiConfig),
    fixedItems: !isAbsent(fields.get('userCanAddMore')) && !flag('userCanAddMore'),
    uiConfig,
  }
}

function readEnvVar(reading: Reading, value: unknown): string {
  const name = readText(reading, value)
  if (!/^\w*$/.test(name)) {
    throw rejection(reading, `${JSON.stringify(name)} is not a name of a variable: letters, digits and "_"`)
  }
  return name
}
