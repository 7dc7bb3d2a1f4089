import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addValuesGenerateCommand } from './values-generate.ts'
import { addValuesLintCommand } from './values-lint.ts'
import { addValuesSchemaCommand } from './values-schema.ts'

/** Defines the sub-commands of `values`. */
export function defineValuesCommands(values: Command, session: CommandSession): void {
  showExamples(
    values,
    'wadi values lint packages/web',
    'wadi values generate packages/web --output values.yaml',
  )
  addValuesLintCommand(values, session)
  addValuesSchemaCommand(values, session)
  addValuesGenerateCommand(values, session)
}
