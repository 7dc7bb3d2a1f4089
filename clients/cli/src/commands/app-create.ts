import { Option } from 'commander'
import type { Command } from 'commander'
import type { JsonObject } from '@bufbuild/protobuf'
import { addApplicationFlags, withApplicationFlags } from '../applications/application-flags.ts'
import type { ApplicationFlags } from '../applications/application-flags.ts'
import { parseQualifiedName } from '../applications/application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { printWarnings } from '../applications/stored-warnings.ts'

interface CreateFlags extends ApplicationFlags {
  file?: string
  upsert?: boolean
  validate: boolean
  appNamespace?: string
  output?: 'json' | 'yaml'
}

/** Adds `app create`. */
export function addCreateCommand(app: Command, session: CommandSession): void {
  const command = addApplicationFlags(app.command('create').argument('[name]', 'NAME or NAMESPACE/NAME'))
    .option('-f, --file <file>', 'Application to start from: a file, a URL, or - for standard input')
    .option('--upsert', 'replace an Application that exists and differs')
    .option('--validate', 'check the dry repository and the source first', true)
    .option('--no-validate', 'store without checking the dry repository')
    .option('-N, --app-namespace <namespace>', 'namespace of the Application')
    .addOption(new Option('-o, --output <format>', 'print the stored Application').choices(['json', 'yaml']))
    .action((name: string | undefined, flags: CreateFlags) =>
      createApplication(session, command, name, flags),
    )
  explain(command, 'Create an Application whose manifests are hydrated to a branch.', [
    'wadi app create guestbook --dry-source-repo https://git.example.com/deploy.git --dry-source-revision main ' +
      '--dry-source-path guestbook --sync-source-branch environments/prod --sync-source-path guestbook ' +
      '--dest-server https://kubernetes.default.svc --dest-namespace guestbook',
    'wadi app create -f guestbook.yaml --upsert',
  ])
}

async function createApplication(
  session: CommandSession,
  command: Command,
  name: string | undefined,
  flags: CreateFlags,
): Promise<void> {
  if (name === undefined && flags.file === undefined) command.help({ error: true })
  if (flags.file === undefined) requireFlags(flags)
  const start = flags.file === undefined ? emptyApplication : await readApplication(flags.file, session)
  const application = withApplicationFlags(withName(start, name, flags.appNamespace), flags)
  const { applications } = await session.connect('applications')
  const answer = await applications.createApplication(
    { application, upsert: flags.upsert ?? false, validate: flags.validate },
    { signal: session.signal },
  )
  printWarnings(answer.warnings)
  if (flags.output === undefined) {
    process.stdout.write(`application '${textAt(application, 'metadata', 'name')}' ${answer.outcome}\n`)
    return
  }
  const { structuredText } = await import('../output/structured-output.ts')
  process.stdout.write(structuredText(answer.application ?? {}, flags.output))
}

/** All that an Application needs which no file describes, in the words of the command line. */
function requireFlags(flags: CreateFlags): void {
  const needed = {
    '--dry-source-repo': flags.drySourceRepo,
    '--dry-source-revision': flags.drySourceRevision,
    '--dry-source-path': flags.drySourcePath,
    '--sync-source-branch': flags.syncSourceBranch,
    '--sync-source-path': flags.syncSourcePath,
    '--dest-server': flags.destServer ?? flags.destName,
  }
  const missing = Object.entries(needed).flatMap(([flag, value]) => (value === undefined ? [flag] : []))
  if (missing.length === 0) return
  throw new CommandFailure(`give ${missing.join(', ')}, or an Application with --file`, usageExitCode)
}

const usageExitCode = 1

const emptyApplication: JsonObject = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' }

async function readApplication(file: string, session: CommandSession): Promise<JsonObject> {
  const { readObjects } = await import('../objects/object-input.ts')
  const [first, ...more] = await readObjects([file], { recursive: false, signal: session.signal })
  if (!first || more.length > 0 || first.object['kind'] !== 'Application') {
    throw new CommandFailure(
      `${file} must hold exactly one Application; "wadi apply -f" takes several objects`,
    )
  }
  return first.object
}

function withName(
  application: JsonObject,
  name: string | undefined,
  appNamespace: string | undefined,
): JsonObject {
  const metadata = objectAt(application, 'metadata')
  const fileName = textAt(metadata, 'name')
  const given = name === undefined ? undefined : parseQualifiedName(name, appNamespace)
  if (given && fileName !== '' && given.name !== fileName) {
    throw new CommandFailure(
      `the name ${given.name} and the name ${fileName} in the file differ; leave one out`,
    )
  }
  const namespace = given?.namespace || appNamespace || textAt(metadata, 'namespace')
  return {
    ...application,
    metadata: { ...metadata, name: given?.name ?? fileName, ...(namespace && { namespace }) },
  }
}
