import type { Setting, SettingsDefinition } from './setting.ts'
import { acceptedForms } from './setting-values.ts'

const columns = ['Flag', 'Variable', 'Value', 'Default', 'Meaning'] as const

/** Returns the text of `--help`: one line a setting, in aligned columns. */
export function settingsHelp(definition: SettingsDefinition): string {
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
