import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addValuesGenerateCommand } from './values-generate.ts'
import { addValuesLintCommand } from './values-lint.ts'
import { addValuesSchemaCommand } from './values-schema.ts'

/** Adds `values` with its sub-commands. */
export function addValuesCommands(program: Command, session: CommandSession): void {
  const values = explain(
    program.command('values'),
    'Check a Zarf package and show its values. Needs no server.',
    ['wadi values lint packages/web', 'wadi values generate packages/web --output values.yaml'],
  )
  addValuesLintCommand(values, session)
  addValuesSchemaCommand(values, session)
  addValuesGenerateCommand(values, session)
}
