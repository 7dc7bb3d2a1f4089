import type { HandlerContext } from '@connectrpc/connect'
import { ConflictError, FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import type { SetParametersRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { ParameterChanges } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { commitDryFiles } from '../applications/commit-dry-files.ts'
import { editedFiles } from '../applications/edited-files.ts'
import { requirePermittedByProject } from '../applications/permitted-by-project.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import { requireReviewed } from '../applications/reviewed-change.ts'
import { resolveDry } from '../applications/resolve-dry.ts'
import { chosenRequest, type dryRequest } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'

const attempts = 3
const maxListed = 10

/**
 * Sets parameters of an Application's dry source with a commit to its dry branch and has the repository looked at, so
 * that hydration starts. It needs the right to update the Application, a dry run too, which shows the files that would be
 * written. A new branch gets the commit for a pull request. Somebody else's change of the same file in between is kept: the change is made again on
 * top of it, unless the request names what its author was shown.
 */
export function setParameters(context: GatewayContext) {
  return async (request: SetParametersRequest, call: HandlerContext) => {
    const { changes } = request
    if (!changes || changes.assignments.length + changes.removals.length === 0) {
      throw new InvalidInputError('there is nothing to set: assignments and removals are both empty')
    }
    const { application } = await getStoredApplication(context, call, request, 'update')
    await requirePermittedByProject(context, application)
    const { request: dry } = chosenRequest(application, request)
    if (dry.chartName !== undefined) throw notInGit(request.name, dry.chartName)
    for (let attempt = 1; ; attempt++) {
      const answer = await changeOnce(context, { ...request, changes }, dry, call)
      if (!(answer instanceof ConflictError)) return answer
      if (attempt === attempts) throw answer
    }
  }
}

function notInGit(name: string, chart: string): FailedPreconditionError {
  return new FailedPreconditionError(
    `chart ${chart} of application ${name} is not in git: set its parameters in the Application, or vendor the chart`,
  )
}

type DryRequest = ReturnType<typeof dryRequest>
type ChangeRequest = SetParametersRequest & { changes: ParameterChanges }

/** Returns the ConflictError when somebody pushes at the same time. */
async function changeOnce(
  context: GatewayContext,
  request: ChangeRequest,
  dry: DryRequest,
  call: HandlerContext,
) {
  const { signal } = call
  const { name, changes, dryRun, force, newBranch, reviewedSha } = request
  const { repoUrl, project, source, targetRevision } = dry
  const resolved = await resolveDry(context, dry, '', signal)
  const { sha, branch, verification, referenced, defaultTools } = resolved
  if (branch === '' && !dryRun) throw noBranch(name, targetRevision)
  // A pull request can be merged with a signature.
  if (verification.policies.length > 0 && !dryRun && newBranch === '') throw unsignedCommit(name, project)
  const edit = {
    repoUrl,
    project,
    source,
    sha,
    verification,
    changes,
    ...(referenced && { referenced }),
    ...(defaultTools && { defaultTools }),
  }
  const { file, otherFiles, changed } = await editedFiles(context, edit, signal)
  await requireReviewed(context, { request: edit, files: [file, ...otherFiles], reviewedSha }, signal)
  const edited = { file, otherFiles, branch, editedSha: sha }
  if (dryRun) return { ...edited, drySha: '' }
  if (file.problems.length > 0 && !force) throw rejection(name, file.problems)
  if (changed.length === 0) return { ...edited, drySha: sha }
  const files = changed.map(({ path, after }) => ({ path, content: after }))
  const message = request.message || defaultMessage(request)
  const commit = { repoUrl, project, branch, newBranch, baseSha: sha, files, message }
  const committed = await unlessPushed(commitDryFiles(context, commit, call))
  if (committed instanceof ConflictError) return committed
  const { sha: drySha, pullRequestUrl } = committed
  return { ...edited, drySha, ...(newBranch !== '' && { pullRequestUrl }) }
}

async function unlessPushed<Answer>(commit: Promise<Answer>): Promise<Answer | ConflictError> {
  try {
    return await commit
  } catch (error) {
    if (error instanceof ConflictError) return error
    throw error
  }
}

function noBranch(name: string, revision: string): FailedPreconditionError {
  return new FailedPreconditionError(
    `application ${name} follows ${JSON.stringify(revision)}, which is not a branch, and parameters live on a branch: ` +
      `name one with "wadi app set ${name} --dry-source-revision BRANCH", or print the change with --print and commit it yourself`,
  )
}

/** A commit of Wadi would be unsigned, and so keep the branch from being hydrated. */
function unsignedCommit(name: string, project: string): FailedPreconditionError {
  return new FailedPreconditionError(
    `project ${project} accepts signed commits only, and Wadi signs none: print the change of ${name} with --print, and ` +
      'commit it yourself with your signature',
  )
}

function rejection(name: string, problems: readonly string[]): InvalidInputError {
  return new InvalidInputError(
    `the parameters of ${name} would have problems: ${someInLine(problems, maxListed, '; ')}; --force commits them anyway`,
  )
}

function defaultMessage({ name, changes: { assignments, removals } }: ChangeRequest): string {
  const set = assignments.map(({ target }) => target)
  const targets = [...set, ...removals].map((target) => target.replaceAll(/\p{Cc}+/gu, ' '))
  return `${set.length > 0 ? 'Set' : 'Unset'} parameters of ${name}: ${someInLine(targets, maxListed)}`
}
