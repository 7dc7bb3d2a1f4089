import { withoutUserInfo } from '@wadi/errors/redaction.ts'
import type { SettingsDefinition } from '../setting.ts'

/** Returns the settings of a service by their variables; of secrets it says only that they are set. */
export function shownSettings(
  definition: SettingsDefinition,
  values: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const shown = Object.entries(definition).map(([name, { env, secret }]) => {
    const value = values[name]
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    if (secret === true) return [env, text === '' ? '' : '(set)']
    return [env, withoutUserInfo(text, '***@')]
  })
  return Object.fromEntries(shown)
}
