import { Option } from 'commander'
import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { CommandFailure } from '../command-failure.ts'
import { explain } from '../command-help.ts'
import { collect } from '../command-line-values.ts'
import type { CommandSession } from '../command-session.ts'
import { textAt } from '../json-path.ts'
import type { InputObject } from '../object-input.ts'
import { printWarnings } from '../stored-warnings.ts'

interface ApplyFlags {
  filename: string[]
  recursive?: boolean
  dryRun?: boolean
  output?: 'name' | 'json' | 'yaml'
}

/** Adds `apply`. */
export function addApplyCommand(program: Command, session: CommandSession): void {
  const command = program
    .command('apply')
    .requiredOption(
      '-f, --filename <input>',
      'file, folder, URL or - for standard input (repeatable)',
      collect,
    )
    .option('-R, --recursive', 'also take the folders inside a folder')
    .option('--dry-run', 'check everything and store nothing')
    .addOption(new Option('-o, --output <format>', 'output').choices(['name', 'json', 'yaml']))
    .action((flags: ApplyFlags) => applyObjects(session, flags))
  explain(
    command,
    'Create objects or change the stored ones; nothing is written before all input is checked.',
    [
      'wadi apply -f guestbook.yaml',
      'wadi apply -f projects/ -f apps/ --dry-run',
      'cat guestbook.yaml | wadi apply -f -',
    ],
  )
}

// What others refer to goes first, whatever the order of the files.
const kindOrder = [
  'Secret',
  'ConfigMap',
  'ConfigManagementPlugin',
  'AppProject',
  'Application',
  'ApplicationSet',
]

async function applyObjects(session: CommandSession, flags: ApplyFlags): Promise<void> {
  const { signal } = session
  const { readObjects } = await import('../object-input.ts')
  const inputs = await readObjects(flags.filename, { recursive: flags.recursive ?? false, signal })
  if (inputs.length === 0) throw new CommandFailure('the input holds no object')
  await checkObjects(inputs)
  const sorted = inputs.toSorted((a, b) => rank(a.object) - rank(b.object))
  const { resources } = await session.connect()
  const stored: JsonObject[] = []
  const withheld: string[] = []
  for (const input of sorted) {
    const { object } = input
    const answer = await explainOrigin(input, () =>
      resources.applyResource({ resource: object, dryRun: flags.dryRun ?? false }, { signal }),
    )
    stored.push(answer.resource ?? {})
    printWarnings(answer.warnings.map((warning) => `${resourceName(object)}: ${warning}`))
    if (answer.withheld !== '') withheld.push(`${resourceName(object)}: ${answer.withheld}`)
    if (flags.output === 'name') process.stdout.write(`${resourceName(object)}\n`)
    if (flags.output !== undefined) continue
    process.stdout.write(`${resourceName(object)} ${answer.outcome}${flags.dryRun ? ' (dry run)' : ''}\n`)
  }
  if (flags.output === 'json' || flags.output === 'yaml') {
    const { printObjects } = await import('../object-output.ts')
    await printObjects(stored, flags.output)
  }
  if (withheld.length > 0 && !flags.dryRun) throw new CommandFailure(withheld.join('\n'))
}

async function checkObjects(inputs: readonly InputObject[]): Promise<void> {
  const { requireKnownKind } = await import('@wadi/resources/kinds.ts')
  const seen = new Map<string, InputObject>()
  for (const input of inputs) {
    const { object } = input
    const [apiVersion, kind] = [textAt(object, 'apiVersion'), textAt(object, 'kind')]
    const name = textAt(object, 'metadata', 'name')
    if (name === '') throw new CommandFailure(`${input.origin}: ${kind} has no metadata.name`)
    try {
      requireKnownKind({ apiVersion, kind })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      throw new CommandFailure(`${input.origin}: ${name}: ${error.message}`, undefined, { cause: error })
    }
    const key = `${kind}/${textAt(object, 'metadata', 'namespace')}/${name}`
    const other = seen.get(key)
    if (other !== undefined) {
      const places = `${other.origin} and ${input.origin}`
      throw new CommandFailure(`${resourceName(object)} occurs twice, in ${places}; remove one`)
    }
    seen.set(key, input)
  }
}

async function explainOrigin<T>(input: InputObject, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const { errorText } = await import('../error-text.ts')
    const text = await errorText(error)
    const place = `${input.origin}: ${resourceName(input.object)}`
    throw new CommandFailure(`${place}: ${text}`, undefined, { cause: error })
  }
}

function rank(object: JsonObject): number {
  return kindOrder.indexOf(textAt(object, 'kind'))
}

function resourceName(object: JsonObject): string {
  const [group, version] = textAt(object, 'apiVersion').split('/')
  const kind = textAt(object, 'kind').toLowerCase()
  return `${kind}${version === undefined ? '' : `.${group}`}/${textAt(object, 'metadata', 'name')}`
}
