import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import {
  type BranchSummary,
  BranchSummarySchema,
  type GetBranchResponse,
  GetBranchResponseSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { shortSha } from '../applications/hydration-state.ts'
import { messageObject } from '../output/message-output.ts'
import { structuredText } from '../output/structured-output.ts'
import { blockLine, tableText } from '../output/table.ts'
import { keptToolLines } from '../tools/kept-tool-lines.ts'

/** The output formats of `branch list`. */
export type BranchListFormat = 'wide' | 'name' | 'json' | 'yaml'

/** Returns what `branch list` prints. */
export function branchListText(branches: readonly BranchSummary[], format: BranchListFormat): string {
  if (format === 'name') return branches.map(({ branch }) => `${branch}\n`).join('')
  if (format !== 'wide') {
    return structuredText(
      branches.map((branch) => messageObject(BranchSummarySchema, branch)),
      format,
    )
  }
  const headers = ['BRANCH', 'PHASE', 'QUEUE', 'APPS', 'DRY', 'HYDRATED', 'FINISHED', 'REPO', 'MESSAGE']
  const rows = branches.map((branch) => [
    branch.branch,
    branch.phase,
    branch.queue,
    String(branch.applications),
    shortSha(branch.drySha),
    shortSha(branch.hydratedSha),
    branch.finishedAt,
    shownUrl(shownUrl(branch.repoUrl)),
    branch.foreignChange || branch.message,
  ])
  return tableText(headers, rows)
}

/** Returns what `branch get` prints. */
export function branchText(answer: GetBranchResponse, format: 'wide' | 'json' | 'yaml'): string {
  if (format !== 'wide') return structuredText(messageObject(GetBranchResponseSchema, answer), format)
  return `${branchBlock(answer)}\n${sourceTable(answer)}\n${applicationTable(answer)}\n${commitTable(answer)}`
}

function branchBlock({ branch, headSha, keptTools, sources }: GetBranchResponse): string {
  if (!branch) return ''
  const tools = Object.entries(branch.tools).map(([name, version]) => `${name} ${version}`)
  const deployed = branch.syncBranches.filter((name) => name !== branch.branch)
  return [
    blockLine('Branch:', branch.branch),
    blockLine('Repository:', shownUrl(branch.repoUrl)),
    ...(deployed.length > 0 ? [blockLine('Deployed From:', deployed.join(', '))] : []),
    blockLine('Phase:', branch.phase || '<none>'),
    ...(branch.message === '' ? [] : [blockLine('Message:', branch.message)]),
    blockLine('Queue:', branch.queue || '<none>'),
    blockLine('Head:', headSha || '<none>'),
    ...(branch.foreignChange === '' ? [] : [blockLine('Foreign Change:', branch.foreignChange)]),
    ...(branch.pullRequest === ''
      ? []
      : [blockLine('Pull Request:', `${branch.pullRequestUrl} (${branch.pullRequest})`.trim())]),
    ...(tools.length === 0 ? [] : [blockLine('Tools:', tools.join(', '))]),
    ...keptToolLines(keptTools, sources),
    blockLine('Last Run:', branch.finishedAt || branch.startedAt || '<none>'),
  ].join('')
}

function sourceTable({ sources }: GetBranchResponse): string {
  const rows = sources.map((source) => [
    shownUrl(source.repoUrl),
    source.targetRevision,
    source.phase,
    shortSha(source.drySha),
    shortSha(source.hydratedDrySha),
    shortSha(source.notedDrySha),
  ])
  return tableText(['SOURCE', 'REVISION', 'PHASE', 'DRY', 'HYDRATED', 'NOTE'], rows)
}

function applicationTable({ applications }: GetBranchResponse): string {
  const rows = applications.map(({ namespace, name, project, syncPath, phase, message }) => [
    `${namespace}/${name}`,
    project,
    syncPath,
    phase,
    message,
  ])
  return tableText(['APPLICATION', 'PROJECT', 'PATH', 'PHASE', 'MESSAGE'], rows)
}

function commitTable({ commits }: GetBranchResponse): string {
  const rows = commits.map(({ hydratedSha, drySha, date, author, subject }) => [
    shortSha(hydratedSha),
    shortSha(drySha),
    date,
    author,
    subject,
  ])
  return tableText(['COMMIT', 'DRY', 'DATE', 'AUTHOR', 'SUBJECT'], rows)
}
