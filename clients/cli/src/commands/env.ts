import type { Stage } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain, showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { listEnvironments } from '../environments/list-environments.ts'
import { outputOption } from '../output/output-option.ts'

/** Defines the sub-commands of `env`. */
export function defineEnvironmentCommands(env: Command, session: CommandSession): void {
  showExamples(env, 'wadi env list', 'wadi env promote environments/prod', 'wadi env merge environments/prod')
  addEnvironmentListCommand(env, session)
  addStageChangeCommands(env, session)
}

/** Adds `env list`. */
function addEnvironmentListCommand(env: Command, session: CommandSession): void {
  const command = env
    .command('list')
    .argument('[repository]', 'dry repository')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .action((repository: string | undefined, { output }: { output: 'wide' | 'json' | 'yaml' }) =>
      printList(session, repository ?? '', output),
    )
  explain(command, 'List the stages of dry repositories in their order, with what waits and why.', [
    'wadi env list',
    'wadi env list https://git.example.com/you/deploy.git -o json',
  ])
}

async function printList(
  session: CommandSession,
  repository: string,
  output: 'wide' | 'json' | 'yaml',
): Promise<void> {
  const { environments, queueError } = await listEnvironments(session, repository)
  if (queueError !== '') session.warn(`the queue cannot be read: ${queueError}`)
  for (const { branchesError } of environments) {
    if (branchesError !== '') session.warn(`promoted branches cannot be read: ${branchesError}`)
  }
  const { environmentListText } = await import('../environments/environment-output.ts')
  process.stdout.write(environmentListText(environments, output))
}

/** A command that changes the pull request of a stage. */
interface StageChange {
  readonly name: string
  /** The change as the server calls it. */
  readonly change: string
  readonly summary: string
}

const stageChanges: readonly StageChange[] = [
  {
    name: 'promote',
    change: 'open',
    summary: 'Open the pull request from a staging branch to the branch that is deployed from.',
  },
  {
    name: 'merge',
    change: 'merge',
    summary: 'Merge the pull request of a stage, if the forge allows it now.',
  },
  { name: 'close', change: 'close', summary: 'Close the pull request of a stage without merging it.' },
  { name: 'reopen', change: 'reopen', summary: 'Open the closed pull request of a stage again.' },
]

interface ChangeFlags {
  repo?: string
  head?: string
}

/** Adds the commands that change pull requests between stages. */
function addStageChangeCommands(env: Command, session: CommandSession): void {
  for (const { name, change, summary } of stageChanges) {
    const command = env
      .command(name)
      .argument('<branch>', 'branch that is deployed from')
      .option('-r, --repo <url>', 'repository of the branch, if several have one of this name')
      .option('--head <commit>', 'only while the staging branch is at this commit')
      .action((branch: string, flags: ChangeFlags) => changeStage(session, { branch, change }, flags))
    explain(command, summary, [
      `wadi env ${name} environments/prod`,
      `wadi env ${name} environments/prod --head 57e1474`,
    ])
  }
}

async function changeStage(
  session: CommandSession,
  { branch, change }: { branch: string; change: string },
  flags: ChangeFlags,
): Promise<void> {
  const stage = await findStage(session, branch, flags.repo)
  const { repoUrl, promotedFrom, stagedSha: headSha, hydratedSha: baseSha, pullRequest } = stage
  if (flags.head !== undefined && !headSha.startsWith(flags.head)) {
    throw new CommandFailure(`${promotedFrom} is at ${headSha || 'no commit'}, not at ${flags.head}`)
  }
  const number = change === 'open' ? '' : pullRequest
  const request = { repoUrl, branch: promotedFrom, baseBranch: branch, change, headSha, baseSha, number }
  const { environments } = await session.connect('environments')
  const changed = await environments.changePullRequest(request, { signal: session.signal })
  if (changed.message !== '') session.warn(changed.message)
  process.stdout.write(`pull request ${changed.number} is ${changed.state}: ${changed.url}\n`)
}

async function findStage(session: CommandSession, branch: string, repository?: string): Promise<Stage> {
  const { environments } = await listEnvironments(session, '')
  const stages = environments
    .flatMap((each) => each.stages)
    .filter((stage) => stage.branch === branch && stage.promotedFrom !== '')
  const found = repository === undefined ? stages : stages.filter(({ repoUrl }) => repoUrl === repository)
  const [stage] = found
  if (!stage) throw new CommandFailure(`no staging branch is merged to ${JSON.stringify(branch)}`)
  // Several dry repositories, or revisions of one, may lead to the same branches.
  const places = new Set(found.map(({ repoUrl, promotedFrom }) => `${promotedFrom} of ${repoUrl}`))
  if (places.size === 1) return stage
  throw new CommandFailure(
    `branch ${JSON.stringify(branch)} is merged to from ${[...places].join(' and ')}; choose one with --repo`,
  )
}
