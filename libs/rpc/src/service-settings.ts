import { readFileSync } from 'node:fs'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { acceptedForms, parseSettingValue, type SettingValues } from './setting-values.ts'
import type { Setting, SettingsDefinition } from './setting.ts'

type ParsedValue<S extends Setting> = S extends { choices: readonly (infer C)[] }
  ? C
  : SettingValues[S['type']]

/** The result of `readSettings`: `undefined` is possible only for a setting without a default that is not required. */
export type SettingsOf<D extends SettingsDefinition> = {
  readonly [K in keyof D]:
    | ParsedValue<D[K]>
    | (D[K] extends { default: string } | { required: true } ? never : undefined)
}

/** Thrown for `--help`; the message is the text to print. */
export class HelpRequest extends Error {
  override readonly name = 'HelpRequest'
}

/** Declares settings and keeps their exact types; throws on two settings that share a flag or a variable. */
export function defineSettings<const D extends SettingsDefinition>(definition: D): D {
  const names = Object.values(definition).flatMap(({ flag, env }) =>
    flag === undefined ? [env] : [env, flag],
  )
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new TypeError(`two settings are named ${twice}`)
  return definition
}

/**
 * Reads the settings from the command line (`--flag value` or `--flag=value`; `--flag` alone is true for a boolean), then
 * the environment, then the defaults. `argv` holds the arguments alone, without program and script.
 * Throws `InvalidInputError` that names the flag or variable and the accepted form, and `HelpRequest` for `--help`.
 */
export function readSettings<const D extends SettingsDefinition>(
  definition: D,
  sources: { env: Readonly<Record<string, string | undefined>>; argv: readonly string[] },
): SettingsOf<D>
export function readSettings(
  definition: SettingsDefinition,
  sources: { env: Readonly<Record<string, string | undefined>>; argv: readonly string[] },
): Record<string, unknown> {
  const flags = readFlags(definition, sources.argv)
  const values = Object.entries(definition).map(([name, setting]) => {
    const given = flags.get(setting) ?? fromEnvironment(setting, sources.env) ?? fromDefault(setting)
    return [name, given === undefined ? undefined : parseGiven(setting, given)]
  })
  return Object.fromEntries(values)
}

type Given = { source: string; text: string }

function readFlags(definition: SettingsDefinition, argv: readonly string[]): Map<Setting, Given> {
  const byFlag = new Map(Object.values(definition).map((setting) => [setting.flag, setting]))
  const flags = new Map<Setting, Given>()
  const rest = [...argv]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--help' || argument === '-h') throw new HelpRequest(settingsHelp(definition))
    const [, flag, inline] = /^--([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(argument) ?? []
    const setting = flag === undefined ? undefined : byFlag.get(flag)
    if (flag === undefined || setting === undefined) {
      throw new InvalidInputError(
        `unknown argument ${argument.split('=')[0]}; --help lists the accepted ones`,
      )
    }
    const isBareBoolean = setting.type === 'boolean' && !/^(?:true|false)$/.test(rest[0] ?? '')
    const text = inline ?? (isBareBoolean ? 'true' : rest.shift())
    if (text === undefined) throw new InvalidInputError(`--${flag} needs a value`)
    flags.set(setting, { source: `--${flag}`, text })
  }
  return flags
}

function fromEnvironment(
  setting: Setting,
  env: Readonly<Record<string, string | undefined>>,
): Given | undefined {
  const text = env[setting.env]
  // Compose files and manifests cannot unset a variable, so an empty one is treated as absent.
  if (text !== undefined && text !== '') return { source: setting.env, text }
  const source = `${setting.env}_FILE`
  const file = env[source]
  if (file === undefined || file === '') return undefined
  try {
    return { source, text: readFileSync(file, 'utf8').trimEnd() }
  } catch (error) {
    throw new InvalidInputError(`${source}: cannot read the file: ${errorMessage(error)}`, { cause: error })
  }
}

function fromDefault(setting: Setting): Given | undefined {
  if (setting.default !== undefined) return { source: `the default of ${setting.env}`, text: setting.default }
  if (setting.required !== true) return undefined
  const flag = setting.flag === undefined ? '' : `--${setting.flag} or `
  throw new InvalidInputError(`${flag}${setting.env} is required: ${setting.description}`)
}

function parseGiven(setting: Setting, given: Given) {
  try {
    return parseSettingValue(setting.type, given.text, setting.choices)
  } catch (error) {
    const shown = setting.secret === true ? '' : `, got "${given.text}"`
    throw new InvalidInputError(`${given.source}: ${errorMessage(error)}${shown}`, { cause: error })
  }
}

const columns = ['Flag', 'Variable', 'Value', 'Default', 'Meaning'] as const

/** Returns the text of `--help`: one line a setting, in aligned columns. */
function settingsHelp(definition: SettingsDefinition): string {
  const rows = [[...columns], ...Object.values(definition).map(cells)]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return `${rows.map(line).join('\n')}\n`
}

function cells(setting: Setting): string[] {
  const flag = setting.flag === undefined ? '' : `--${setting.flag}`
  const env = setting.secret === true ? `${setting.env}_FILE` : setting.env
  const value = setting.choices?.join(', ') ?? acceptedForms[setting.type]
  const fallback = setting.default ?? (setting.required === true ? 'required' : '')
  return [flag, env, value, fallback, setting.description]
}
