import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'

interface SchemaFlags {
  flavor?: string
}

/** Adds `values schema`. */
export function addValuesSchemaCommand(values: Command, session: CommandSession): void {
  const command = values
    .command('schema')
    .argument('<directory>', 'directory of a working copy with a zarf.yaml')
    .option('--flavor <name>', 'flavor of the package (default: that of its zarf-config)')
    .action((directory: string, flags: SchemaFlags) => printSchema(session, directory, flags))
  explain(
    command,
    'Print a JSON Schema for the values of a Zarf package: its own schema, those of its imports, and the types of the default values.',
    ['wadi values schema packages/web > values.schema.json'],
  )
  command.addHelpText('after', '\nExit codes: 0 done, 20 the package has errors, or another error.')
}

async function printSchema(session: CommandSession, directory: string, flags: SchemaFlags): Promise<void> {
  const { openPackageDirectory } = await import('../values/package-directory.ts')
  const { schemaText, valuesSchema } = await import('@wadi/zarf/values/sample-values.ts')
  const opened = await openPackageDirectory(directory, session.warn)
  process.stdout.write(schemaText(await valuesSchema(opened.files, opened.directory, flags)))
}
