import type { Command } from 'commander'
import { explain, showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addValuesLintCommand } from './values-lint.ts'

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

/** Adds `values schema`. */
function addValuesSchemaCommand(values: Command, session: CommandSession): void {
  const command = values
    .command('schema')
    .argument('<directory>', 'directory of a working copy with a zarf.yaml')
    .option('--flavor <name>', 'flavor of the package (default: that of its zarf-config)')
    .action((directory: string, flags: { flavor?: string }) => printSchema(session, directory, flags))
  explain(
    command,
    'Print a JSON Schema for the values of a Zarf package: its own schema, those of its imports, and the types of the default values.',
    ['wadi values schema packages/web > values.schema.json'],
  )
  command.addHelpText('after', '\nExit codes: 0 done, 20 the package has errors, or another error.')
}

async function printSchema(
  session: CommandSession,
  directory: string,
  flags: { flavor?: string },
): Promise<void> {
  const { openPackageDirectory } = await import('../values/package-directory.ts')
  const { schemaText, valuesSchema } = await import('@wadi/zarf/values/sample-values.ts')
  const opened = await openPackageDirectory(directory, session.warn)
  process.stdout.write(schemaText(await valuesSchema(opened.files, opened.directory, flags)))
}

interface GenerateFlags {
  flavor?: string
  output?: string
  force?: boolean
}

/** Adds `values generate`. */
function addValuesGenerateCommand(values: Command, session: CommandSession): void {
  const command = values
    .command('generate')
    .argument('<directory>', 'directory of a working copy with a zarf.yaml')
    .option('--output <file>', 'file to write (default: standard output)')
    .option('--force', 'overwrite the file')
    .option('--flavor <name>', 'flavor of the package (default: that of its zarf-config)')
    .action((directory: string, flags: GenerateFlags) => generate(session, directory, flags))
  explain(
    command,
    'Write a sample values file for a Zarf package, from the merged defaults of the package and its imports.',
    ['wadi values generate packages/web', 'wadi values generate packages/web --output production.yaml'],
  )
  command.addHelpText(
    'after',
    '\nExit codes: 0 done, 20 the package has errors, the file exists, or another error.',
  )
}

async function generate(
  session: CommandSession,
  directory: string,
  { flavor, output, force }: GenerateFlags,
): Promise<void> {
  const { openPackageDirectory } = await import('../values/package-directory.ts')
  const { sampleValues } = await import('@wadi/zarf/values/sample-values.ts')
  const opened = await openPackageDirectory(directory, session.warn)
  const text = await sampleValues(opened.files, opened.directory, flavor === undefined ? {} : { flavor })
  if (output === undefined) {
    process.stdout.write(text)
    return
  }
  const { writeNewFile } = await import('../values/new-file.ts')
  await writeNewFile(output, text, force === true)
}
