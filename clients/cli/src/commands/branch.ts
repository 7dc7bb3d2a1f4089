import type { Command } from 'commander'
import type { BranchListFormat } from '../branches/branch-output.ts'
import { listBranches } from '../branches/list-branches.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain, showExamples } from '../command-line/command-help.ts'
import { collect, count } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'
import { outputOption } from '../output/output-option.ts'

/** Defines the sub-commands of `branch`. */
export function defineBranchCommands(branch: Command, session: CommandSession): void {
  showExamples(branch, 'wadi branch list', 'wadi branch get environments/prod')
  addBranchListCommand(branch, session)
  addBranchGetCommand(branch, session)
}

interface ListFlags {
  output: BranchListFormat
  phase?: string[]
}

/** Adds `branch list`. */
function addBranchListCommand(branch: Command, session: CommandSession): void {
  const command = branch
    .command('list')
    .argument('[text]', 'part of the repository or the branch')
    .addOption(outputOption('wide', 'name', 'json', 'yaml'))
    .option(
      '--phase <phase>',
      'only branches in this phase: Hydrating, Hydrated or Failed (repeatable)',
      collect,
    )
    .action((text: string | undefined, flags: ListFlags) => printList(session, text ?? '', flags))
  explain(command, 'List the hydrated branches with an Application that you may see.', [
    'wadi branch list',
    'wadi branch list environments/ --phase Failed',
    'wadi branch list -o name',
  ])
}

async function printList(session: CommandSession, text: string, flags: ListFlags): Promise<void> {
  const { branches, queueError } = await listBranches(session, { text, phases: flags.phase ?? [] })
  if (queueError !== '') session.warn(`the queue cannot be read: ${queueError}`)
  const { branchListText } = await import('../branches/branch-output.ts')
  process.stdout.write(branchListText(branches, flags.output))
}

interface GetFlags {
  output: 'wide' | 'json' | 'yaml'
  repo?: string
  commits: number
}

/** Adds `branch get`. */
function addBranchGetCommand(branch: Command, session: CommandSession): void {
  const command = branch
    .command('get')
    .argument('<branch>', 'hydrated branch')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .option('-r, --repo <url>', 'repository of the branch, if several have one of this name')
    .option('--commits <number>', 'maximum number of commits, at most 100', count, 20)
    .action((name: string, flags: GetFlags) => printBranch(session, name, flags))
  explain(
    command,
    'Show a hydrated branch: its Applications, dry sources, commits, versions of tools and state in the queue.',
    [
      'wadi branch get environments/prod',
      'wadi branch get environments/prod --repo https://git.example.com/you/deploy.git -o yaml',
    ],
  )
  completeWith(command, 'branches')
}

async function printBranch(session: CommandSession, branch: string, flags: GetFlags): Promise<void> {
  const repoUrl = flags.repo ?? (await findRepository(session, branch))
  const server = await session.connect('branches')
  const request = { repoUrl, branch, commits: flags.commits }
  const answer = await server.branches.getBranch(request, { signal: session.signal })
  if (answer.error !== '') session.warn(`the branch cannot be read: ${answer.error}`)
  if (answer.queueError !== '') session.warn(`the queue cannot be read: ${answer.queueError}`)
  const { branchText } = await import('../branches/branch-output.ts')
  process.stdout.write(branchText(answer, flags.output))
}

async function findRepository(session: CommandSession, branch: string): Promise<string> {
  const { branches } = await listBranches(session, { text: branch, phases: [] })
  const repositories = branches.filter((found) => found.branch === branch).map(({ repoUrl }) => repoUrl)
  const [repoUrl] = repositories
  if (repoUrl === undefined)
    throw new CommandFailure(`no hydrated branch ${JSON.stringify(branch)} was found`)
  if (repositories.length > 1) {
    throw new CommandFailure(
      `branch ${JSON.stringify(branch)} is in several repositories; choose one with --repo: ${repositories.join(', ')}`,
    )
  }
  return repoUrl
}
