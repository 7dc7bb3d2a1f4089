import { Option } from 'commander'
import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { addYesFlag } from '../application-sets/deletions.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { showExamples } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import type { InputObject } from '../objects/object-input.ts'
import { ApplyProgress } from '../applications/apply-progress.ts'
import { printWarnings } from '../applications/stored-warnings.ts'

interface ApplyFlags {
  filename: string[]
  recursive?: boolean
  dryRun?: boolean
  yes?: boolean
  output?: 'name' | 'json' | 'yaml'
}

/** Defines `apply`. */
export function defineApplyCommand(command: Command, session: CommandSession): void {
  addYesFlag(command)
    .requiredOption(
      '-f, --filename <input>',
      'file, directory, URL or - for standard input (repeatable)',
      collect,
    )
    .option('-R, --recursive', 'include subdirectories')
    .option('--dry-run', 'check everything, store nothing')
    .addOption(new Option('-o, --output <format>', 'output').choices(['name', 'json', 'yaml']))
    .action((flags: ApplyFlags) => applyObjects(session, flags))
  showExamples(
    command,
    'wadi apply -f guestbook.yaml',
    'wadi apply -f projects/ -f apps/ --dry-run',
    'cat guestbook.yaml | wadi apply -f -',
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

const kustomizeGroup = 'kustomize.config.k8s.io/'

async function applyObjects(session: CommandSession, flags: ApplyFlags): Promise<void> {
  const { signal } = session
  const { readObjects } = await import('../objects/object-input.ts')
  const inputs = await readObjects(flags.filename, { recursive: flags.recursive ?? false, signal })
  if (inputs.length === 0) throw new CommandFailure('the input holds no object')
  await checkObjects(inputs)
  const { dryRun = false, yes = false } = flags
  const printed = flags.output === 'name' ? undefined : flags.output
  const sorted = inputs.toSorted((a, b) => rank(a.object) - rank(b.object))
  const progress = new ApplyProgress(sorted.length, dryRun)
  const { reported, stored, waiting } = answerTeller(flags, progress)
  try {
    await applyAll(session, sorted, { dryRun, yes, outcomesOnly: printed === undefined, progress, reported })
  } catch (error) {
    throw progress.partial(error)
  } finally {
    progress.end()
  }
  if (printed !== undefined) {
    const { printObjects } = await import('../output/object-output.ts')
    await printObjects(stored, printed)
  }
  if (waiting.length > 0 && !dryRun) throw new CommandFailure(waiting.join('\n'))
}

/** The answer of the server about one object. */
interface ObjectAnswer {
  resource: JsonObject
  outcome: string
  warnings: readonly string[]
  withheld?: string
}

interface ApplyRun {
  dryRun: boolean
  /** True when sets delete Applications without asking. */
  yes: boolean
  /** True to request no stored objects; some answers have them all the same. */
  outcomesOnly: boolean
  progress: ApplyProgress
  reported: (input: InputObject, answer: ObjectAnswer) => void
}

/** Applications go together, so that each branch is hydrated once, and sets are tried before the first is stored. */
async function applyAll(
  session: CommandSession,
  inputs: readonly InputObject[],
  { dryRun, yes, outcomesOnly, progress, reported }: ApplyRun,
): Promise<void> {
  const { signal } = session
  const { resources, applications } = await session.connect('resources', 'applications')
  const ofKind = (kind: string) => inputs.filter(({ object }) => object['kind'] === kind)
  const sets = ofKind('ApplicationSet')
  const together = ofKind('Application')
  for (const input of inputs.filter((one) => !sets.includes(one) && !together.includes(one))) {
    const answer = await explainOrigin(input, () =>
      resources.applyResource({ resource: input.object, dryRun }, { signal }),
    )
    progress.done()
    reported(input, { ...answer, resource: answer.resource ?? {} })
  }
  if (together.length > 0) {
    const { applyApplications } = await import('../applications/apply-applications.ts')
    const answers = await applyApplications(applications, together, {
      dryRun,
      outcomesOnly,
      signal,
      progress: (count) => progress.done(count),
    })
    for (const [index, input] of together.entries()) {
      const answer = answers[index]
      if (answer) reported(input, { ...answer, resource: answer.application ?? {} })
    }
  }
  if (sets.length === 0) return
  const { applySets } = await import('../application-sets/apply.ts')
  await applySets(session, sets, { upsert: true, dryRun, confirmDeletions: false, yes }, (answer, input) => {
    progress.done()
    const outcome = answer.outcome === 'updated' ? 'configured' : answer.outcome
    reported(input, { ...answer, outcome, resource: answer.applicationSet ?? {} })
  })
}

/** Prints each answer, and keeps what is printed at the end. */
function answerTeller(flags: ApplyFlags, progress: ApplyProgress) {
  const stored: JsonObject[] = []
  const waiting: string[] = []
  const reported: ApplyRun['reported'] = ({ object }, { resource, outcome, warnings, withheld = '' }) => {
    const name = resourceName(object)
    progress.clear()
    stored.push(resource)
    printWarnings(warnings.map((warning) => `${name}: ${warning}`))
    if (withheld !== '') waiting.push(`${name}: ${withheld}`)
    if (flags.output === 'name') process.stdout.write(`${name}\n`)
    if (flags.output !== undefined) return
    process.stdout.write(`${name} ${outcome}${flags.dryRun ? ' (dry run)' : ''}\n`)
  }
  return { reported, stored, waiting }
}

async function checkObjects(inputs: readonly InputObject[]): Promise<void> {
  const { requireKnownKind } = await import('@wadi/resources/kinds.ts')
  const { checkedApplication } = await import('@wadi/resources/application/checked-application.ts')
  const { checkedResource } = await import('@wadi/resources/object-checks.ts')
  const seen = new Map<string, InputObject>()
  for (const input of inputs) {
    const { object } = input
    const [apiVersion, kind] = [textAt(object, 'apiVersion'), textAt(object, 'kind')]
    const name = textAt(object, 'metadata', 'name')
    if (apiVersion.startsWith(kustomizeGroup)) {
      throw new CommandFailure(
        `${input.origin}: it is a kustomization, which is not stored; apply what it makes: wadi render DIRECTORY | wadi apply -f -`,
      )
    }
    if (name === '') throw new CommandFailure(`${input.origin}: ${kind} has no metadata.name`)
    try {
      requireKnownKind({ apiVersion, kind })
      if (kind === 'Application') checkedApplication(checkedResource(object))
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
    const { errorText } = await import('../command-line/error-text.ts')
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
