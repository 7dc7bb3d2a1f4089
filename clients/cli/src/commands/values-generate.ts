import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'

interface GenerateFlags {
  flavor?: string
  output?: string
  force?: boolean
}

/** Adds `values generate`. */
export function addValuesGenerateCommand(values: Command, session: CommandSession): void {
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
