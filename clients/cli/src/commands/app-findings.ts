import { type Command, InvalidArgumentError, Option } from 'commander'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  ApplicationFinding,
  FindingFilterSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/findings_pb.ts'
import { parseQualifiedName } from '../applications/application-name.ts'
import { explain } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'

interface FindingsFlags {
  output: 'wide' | 'json' | 'yaml' | 'sarif'
  severity?: string[]
  gate?: string[]
  rule?: string[]
  project?: string[]
  repo?: string[]
  text?: string
  appNamespace?: string
}

type Filter = MessageInitShape<typeof FindingFilterSchema>

/** The most that the server returns at once. */
const pageSize = 500
const severities = ['deny', 'warn', 'audit', 'waived']

/** Adds `app findings`. */
export function addFindingsCommand(app: Command, session: CommandSession): void {
  const command = app
    .command('findings')
    .argument('[name]', 'only those of this Application, NAME or NAMESPACE/NAME')
    .addOption(outputOption('wide', 'json', 'yaml', 'sarif'))
    .addOption(
      new Option(
        '--severity <severity>',
        'only findings of this severity, waived for those that a waiver covers (repeatable)',
      )
        .choices(severities)
        .argParser(collectSeverity),
    )
    .option('--gate <name>', 'only findings of this gate, such as secrets (repeatable)', collect)
    .option('--rule <rule>', 'only findings of this rule, such as secrets/github (repeatable)', collect)
    .option('-p, --project <name>', 'only Applications of this AppProject (repeatable)', collect)
    .option('-r, --repo <url>', 'only Applications with this dry repository (repeatable)', collect)
    .option(
      '--text <text>',
      'only findings with this text in Application, rule, object, field, message or file',
    )
    .option('-N, --app-namespace <namespace>', 'only Applications of this namespace')
    .action((name: string | undefined, flags: FindingsFlags) => printFindings(session, name, flags))
  explain(
    command,
    'List what gates found in the newest renders of Applications: denied objects, warnings, findings for the record, and what waivers cover.',
    [
      'wadi app findings',
      'wadi app findings --severity deny --severity warn --project shop',
      'wadi app findings guestbook --gate secrets',
      'wadi app findings --repo https://git.example.com/you/deploy.git -o sarif > findings.sarif',
    ],
  )
  completeWith(command, 'applications')
}

function collectSeverity(value: string, values: string[] | undefined): string[] {
  if (!severities.includes(value)) {
    throw new InvalidArgumentError(`Allowed choices are ${severities.join(', ')}.`)
  }
  return collect(value, values)
}

async function printFindings(
  session: CommandSession,
  name: string | undefined,
  flags: FindingsFlags,
): Promise<void> {
  const named =
    name === undefined
      ? { namespace: flags.appNamespace ?? '' }
      : parseQualifiedName(name, flags.appNamespace)
  const { findings, leftOut } = await readFindings(session, {
    ...named,
    severities: flags.severity ?? [],
    gates: flags.gate ?? [],
    rules: flags.rule ?? [],
    projects: flags.project ?? [],
    repositories: flags.repo ?? [],
    text: flags.text ?? '',
  })
  if (leftOut > 0)
    session.warn(
      `${leftOut} more findings, of all Applications, are not listed: 100 of each group are kept; hydrator.metadata of each directory lists its own`,
    )
  const list = await import('../applications/finding-list.ts')
  if (flags.output === 'wide') {
    process.stdout.write(findings.length === 0 ? 'no findings\n' : list.applicationFindingTable(findings))
    return
  }
  const { structuredText } = await import('../output/structured-output.ts')
  const text =
    flags.output === 'sarif'
      ? structuredText(list.applicationFindingLog(findings), 'json')
      : structuredText(findings.map(list.applicationFindingObject), flags.output)
  process.stdout.write(text)
}

async function readFindings(
  session: CommandSession,
  filter: Filter,
): Promise<{ findings: ApplicationFinding[]; leftOut: number }> {
  const { applications } = await session.connect('applications')
  const findings: ApplicationFinding[] = []
  for (;;) {
    const page = await applications.searchFindings(
      { filter, offset: findings.length, limit: pageSize },
      { signal: session.signal },
    )
    findings.push(...page.findings)
    if (page.findings.length === 0 || findings.length >= page.total)
      return { findings, leftOut: page.leftOut }
  }
}
