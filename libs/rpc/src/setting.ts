import type { SettingValues } from './setting-values.ts'

/** One setting of a service, declared once: the parser, `--help` and the documentation all read it. */
export type Setting = {
  type: keyof SettingValues
  /** Name on the command line, without the dashes. Secrets have none: an argument list is public. */
  flag?: string
  /** Name of the environment variable; `<env>_FILE` names a file that holds the value instead. */
  env: string
  /** Value when neither flag nor variable is given, in the form that users write, for example `30s`. */
  default?: string
  /** True if the start fails without a value. Otherwise, without a default, the value is `undefined`. */
  required?: boolean
  /** The accepted words of a `choice`. */
  choices?: readonly string[]
  /** True if the value is a secret: no flag, and never printed. */
  secret?: boolean
  /** One sentence. */
  description: string
}

/** The settings of one service by the names that its code uses. */
export type SettingsDefinition = Readonly<Record<string, Setting>>
