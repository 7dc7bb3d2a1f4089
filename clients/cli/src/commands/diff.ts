import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { plainVersion, toolNames, wholeVersion } from '@wadi/hydration/tool-versions.ts'
import type { Command } from 'commander'
import { parseQualifiedName } from '../applications/application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { endUsageWithTrouble, failWithTrouble, troubleExitCode } from '../command-line/comparison-trouble.ts'
import { completeWith } from '../completion/completion-tree.ts'
import type { ComparedRevisions, Comparison } from '../diff/comparison.ts'
import type { ServedApplications } from '../diff/local/served-applications.ts'
import type { ReportFormat } from '../diff/print-report.ts'
import { addPluginFlags, type PluginFlags } from '../plugins/plugin-flags.ts'
import { outputOption } from '../output/output-option.ts'

interface DiffFlags extends PluginFlags {
  repo?: string
  revision?: string
  local?: boolean
  files?: boolean
  kubeconfig?: string
  base?: string
  target?: string
  tools?: string
  output: ReportFormat
  exitCode: boolean
  appNamespace?: string
}

const changesExitCode = 1

/** Defines `diff`. */
export function defineRevisionDiffCommand(command: Command, session: CommandSession): void {
  addPluginFlags(command)
    .argument('[name...]', 'NAME or NAMESPACE/NAME of Applications (default: all of the repository)')
    .option(
      '--repo <url>',
      'dry repository (default: the remote "origin" of the checkout around this directory)',
    )
    .option('--revision <revision>', 'branch, tag, commit or pull request such as refs/pull/7/head')
    .option(
      '--local',
      'the working tree around this directory in place of a revision, rendered on this machine',
    )
    .option(
      '--files',
      'with --local: the Applications are those of the repository itself, also if there is a server',
    )
    .option(
      '--kubeconfig <file>',
      'with --local: the Applications are those of this cluster, also if there is a server',
    )
    .option('--base <revision>', 'dry revision to compare with (default: what the hydrated branches hold)')
    .option(
      '--target <branch>',
      'branch on which the revision would land (default: that of --base, else that of HEAD)',
    )
    .option(
      '--tools <versions>',
      'versions to try out in the place of those that render, such as helm=4.3.1,kustomize=5.8.3 (default revision: HEAD)',
    )
    .addOption(outputOption('text', 'markdown', 'json', 'html'))
    .option('--exit-code', 'exit with 1 if there are differences', true)
    .option('--no-exit-code', 'exit with 0 even if there are differences')
    .option('-N, --app-namespace <namespace>', 'namespace of the Applications')
    .exitOverride(endUsageWithTrouble)
    .action((names: string[], flags: DiffFlags) => showChanges(session, names, flags))
  showExamples(
    command,
    'wadi diff --revision feature-branch --base main',
    'wadi diff --revision refs/pull/7/head --base main -o markdown',
    'wadi diff --local --base main',
    'wadi diff --tools helm=4.3.1,kustomize=5.8.3',
    'wadi diff guestbook --revision feature-branch --repo https://git.example.com/deployments.git',
  )
  command.addHelpText(
    'after',
    '\nValues of Secrets are shown as hashes. Exit codes: 0 no change, 1 changes, 2 an error, also one of an Application.',
  )
  completeWith(command, 'applications')
}

async function showChanges(
  session: CommandSession,
  names: readonly string[],
  flags: DiffFlags,
): Promise<void> {
  await failWithTrouble(session, async () => {
    const compared = await comparedRevisions(names, flags)
    const comparison = await compare(session, compared, flags)
    const { printReport } = await import('../diff/print-report.ts')
    await printReport({ ...comparison, ...labels(compared, comparison) }, flags.output)
    process.exitCode = exitCodeOf(comparison, flags)
  })
}

async function comparedRevisions(names: readonly string[], flags: DiffFlags): Promise<ComparedRevisions> {
  const {
    local = false,
    revision = flags.tools === undefined || flags.local ? '' : 'HEAD',
    base = '',
    target = '',
    repo,
    files,
    kubeconfig,
    appNamespace,
  } = flags
  if (local === (revision !== ''))
    throw new CommandFailure('name the dry revision with --revision, or use --local')
  if (local && flags.tools !== undefined)
    throw new CommandFailure('--tools asks the server; with --local, name the versions in wadi.yaml')
  if (!local && (files || kubeconfig !== undefined))
    throw new CommandFailure('--files and --kubeconfig are about --local')
  if (files && kubeconfig !== undefined) throw new CommandFailure('give either --files or --kubeconfig')
  const { checkoutRemote } = await import('../diff/checkout-remote.ts')
  // Who asks is not part of what is compared, and runners put their tokens there.
  const repoUrl = redactUrl(repo ?? (await checkoutRemote(process.cwd())))
  const applications = names.map((name) => parseQualifiedName(name, appNamespace))
  return { repoUrl, revision, base, target, tools: triedTools(flags.tools ?? ''), applications }
}

function triedTools(text: string): Record<string, string> {
  const named = text.split(',').filter((part) => part !== '')
  const tried: Record<string, string> = {}
  for (const part of named) {
    const [name = '', version = '', ...more] = part.trim().split('=')
    if (!toolNames.some((tool) => tool === name) || !wholeVersion.test(version) || more.length > 0)
      throw new CommandFailure(
        `--tools: ${JSON.stringify(part)} must be a tool and one exact version, such as helm=4.3.1`,
      )
    if (tried[name] !== undefined) throw new CommandFailure(`--tools names ${name} twice; keep one version`)
    tried[name] = plainVersion(version)
  }
  return tried
}

async function compare(
  session: CommandSession,
  compared: ComparedRevisions,
  flags: DiffFlags,
): Promise<Comparison> {
  const { ComparisonProgress } = await import('../diff/comparison-progress.ts')
  using progress = new ComparisonProgress()
  if (!flags.local) {
    const { reviews } = await session.connect('reviews')
    const { compareOnServer } = await import('../diff/compare-on-server.ts')
    return await compareOnServer(reviews, compared, progress, session.signal)
  }
  const { openLocalPlugins } = await import('../plugins/local-plugins.ts')
  await using plugins = await openLocalPlugins(flags, session)
  const { compareLocally } = await import('../diff/local/compare-locally.ts')
  const { kubeconfig } = flags
  const isServed = !flags.files && kubeconfig === undefined
  const served = isServed ? await servedApplications(session, compared.repoUrl) : undefined
  return await compareLocally(compared, { session, plugins, progress, served, kubeconfig })
}

/** The Applications of the server that is configured; undefined when there is none. */
async function servedApplications(
  session: CommandSession,
  repoUrl: string,
): Promise<ServedApplications | undefined> {
  const { hasServer } = await import('../connection/server-choice.ts')
  if (!(await hasServer(session.flags(), session.environment))) return undefined
  const { ServedApplications: Served } = await import('../diff/local/served-applications.ts')
  return new Served(session, repoUrl)
}

/** Returns the labels of the two sides. */
function labels(
  { base, revision, tools }: ComparedRevisions,
  { summary: { baseSha, revisionSha } }: Comparison,
): { before: string; after: string } {
  const named = (name: string, sha: string): string => (sha === '' ? name : `${name} (${sha.slice(0, 7)})`)
  return {
    before: base === '' && baseSha === '' ? 'hydrated branches' : named(base || 'HEAD', baseSha),
    after: [named(revision || 'working tree', revisionSha), ...triedNames(tools)].join(' with '),
  }
}

function triedNames(tools: ComparedRevisions['tools']): string[] {
  const names = Object.entries(tools).map(([name, version]) => `${name} ${version}`)
  return names.length === 0 ? [] : [names.join(' and ')]
}

function exitCodeOf({ summary, applications }: Comparison, { exitCode }: DiffFlags): number {
  if (summary.failed > 0) return troubleExitCode
  const differs = applications.some(({ outcome }) => outcome !== 'unchanged')
  return differs && exitCode ? changesExitCode : 0
}
