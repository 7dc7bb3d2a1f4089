import { isJsonObject } from '@wadi/fields/json-object.ts'
import { Option } from 'commander'
import type { Command } from 'commander'
import type { GetParametersResponse } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { parseQualifiedName } from '../applications/application-name.ts'
import { addSourceChoiceFlags, sourceChoice, type SourceChoiceFlags } from '../applications/source-choice.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { printable } from '../output/printable.ts'

interface ParamsFlags extends SourceChoiceFlags {
  output?: 'wide' | 'name' | 'json' | 'yaml'
  revision?: string
  setOnly?: boolean
  appNamespace?: string
}

/** Adds `app params`. */
export function addParamsCommand(app: Command, session: CommandSession): void {
  const command = addSourceChoiceFlags(app.command('params').argument('<name>', 'NAME or NAMESPACE/NAME'))
    .addOption(
      new Option(
        '-o, --output <format>',
        'output (default: a table as wide as the terminal; wide shortens nothing)',
      ).choices(['wide', 'name', 'json', 'yaml']),
    )
    .option('--revision <revision>', 'dry revision to read (default: that of the Application)')
    .option('--set-only', 'only parameters that are set, without defaults')
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .action((name: string, flags: ParamsFlags) => showParameters(session, name, flags))
  explain(command, 'List the parameters of an Application: defaults, values and where they are set.', [
    'wadi app params guestbook',
    'wadi app params guestbook --set-only -o wide',
    'wadi app params guestbook --revision feature-branch -o json',
    'wadi app params guestbook --source-position 2',
  ])
  command.addHelpText('after', '\nKeys of a map that are set begin with *. The others have their default.')
  completeWith(command, 'applications')
}

async function showParameters(session: CommandSession, name: string, flags: ParamsFlags): Promise<void> {
  const { applications } = await session.connect('applications')
  const qualified = parseQualifiedName(name, flags.appNamespace)
  const answer = await applications.getParameters(
    { ...qualified, ...sourceChoice(flags), dryRevision: flags.revision ?? '' },
    { signal: session.signal },
  )
  const setOnly = flags.setOnly ?? false
  if (setOnly) answer.parameters = answer.parameters.filter(({ value }) => value !== undefined)
  process.stdout.write(await parametersText(answer, flags.output, setOnly))
}

async function parametersText(
  answer: GetParametersResponse,
  format: ParamsFlags['output'],
  setOnly: boolean,
): Promise<string> {
  if (format === 'name') return answer.parameters.map(({ name }) => `${printable(name)}\n`).join('')
  if (format === 'json' || format === 'yaml') {
    const { toJson } = await import('@bufbuild/protobuf')
    const { GetParametersResponseSchema } =
      await import('@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts')
    const { structuredText } = await import('../output/structured-output.ts')
    const object = toJson(GetParametersResponseSchema, answer, { alwaysEmitImplicit: true })
    return structuredText(isJsonObject(object) ? object : {}, format)
  }
  const { parameterTable } = await import('../parameters/parameter-table.ts')
  const wide = format === 'wide'
  const width = wide ? undefined : process.stdout.columns
  const { parameterWarnings } = await import('../parameters/parameter-warnings.ts')
  return (
    parameterTable(answer.parameters, { wide, setOnly, width }) +
    parameterWarnings(answer.parameters, answer.warnings)
  )
}
