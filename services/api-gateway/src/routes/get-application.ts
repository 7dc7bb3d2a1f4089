import type { HandlerContext } from '@connectrpc/connect'
import { DeadlineExceededError, errorMessage } from '@wadi/errors/domain-error.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import { keptVersions } from '@wadi/hydration/held-versions.ts'
import { agreedVersions } from '@wadi/hydration/tool-versions.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { GetApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import { readableApplication } from '../applications/application-view.ts'
import { notedDryCommit } from '../applications/noted-dry-commit.ts'
import { decidedVersion } from '@wadi/resources/decided-version.ts'
import { getApplicationResource, viewOne } from '../applications/read-application.ts'
import { requestHydration } from '../applications/request-hydration.ts'
import type { GatewayContext } from '../context.ts'
import { readKeptTools } from '../summaries/kept-tools.ts'

/** People wait for the answer; a repository that hangs must not keep the object from them. */
const maxLookMs = 15_000

/** Returns an Application and which dry commit each of its branches holds; a refresh needs the right to hydrate it. */
export function getApplication(context: GatewayContext) {
  return async ({ namespace, name, refresh }: GetApplicationRequest, call: HandlerContext) => {
    let resource = await getApplicationResource(context, call, { namespace, name })
    if (refresh !== '') ({ resource } = await requestHydration(context, call, resource, refresh === 'hard'))
    const [application, branches] = await Promise.all([
      viewOne(context, resource),
      readApplicationBranches(context, readableApplication(resource), call.signal),
    ])
    return { application, ...branches, version: decidedVersion(resource) }
  }
}

async function readApplicationBranches(
  context: GatewayContext,
  application: Application | undefined,
  signal: AbortSignal,
) {
  if (!application?.hydrated) return {}
  const { commitServer, logger, summaries } = context
  const { hydrated, project } = application
  const { drySource, syncSource, hydrateTo } = hydrated
  const repoUrl = syncSource.repoURL ?? drySource.repoURL
  const { path, targetBranch: syncBranch } = syncSource
  const read = async (branch: string) => {
    const request = { repoUrl, branch, project, path }
    const { position, manifestId, pathTools } = await commitServer.getBranch(request, {
      signal,
      timeoutMs: maxLookMs,
    })
    const drySha = position ? (notedDryCommit(position, drySource) ?? position.drySha) : ''
    return { drySha, manifestId, pathTools }
  }
  try {
    const [sync, staged] = await Promise.all([
      read(syncBranch),
      hydrateTo ? read(hydrateTo.targetBranch) : undefined,
    ])
    const record = summaries.record(branchKey(repoUrl, hydrateTo?.targetBranch ?? syncBranch))
    const made = (staged ?? sync).pathTools
    const kept = agreedVersions([keptVersions(record?.status), made])
    const keptTools = await readKeptTools(context, kept, signal)
    if (!hydrateTo || !staged) return { branches: { syncBranch, syncDrySha: sync.drySha }, keptTools }
    // A promoter may merge, which leaves a head without a note, so the manifests decide and not the dry commits.
    const promoted = staged.manifestId !== '' && staged.manifestId === sync.manifestId
    const branches = {
      syncBranch,
      syncDrySha: sync.drySha,
      hydrateToBranch: hydrateTo.targetBranch,
      hydrateToDrySha: staged.drySha,
      promotion: promoted ? 'Promoted' : 'Waiting',
    }
    return { branches, keptTools }
  } catch (error) {
    // The object is worth showing while its repository cannot be reached.
    const reason = errorMessage(error)
    logger.debug({ repository: redactUrl(repoUrl), reason }, 'branches could not be read')
    const late = error instanceof DeadlineExceededError
    const branches = {
      syncBranch,
      ...(hydrateTo && { hydrateToBranch: hydrateTo.targetBranch }),
      error: late ? `${redactUrl(repoUrl)} did not answer within ${maxLookMs / 1000} s` : reason,
    }
    return { branches }
  }
}
