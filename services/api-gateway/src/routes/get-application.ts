import type { HandlerContext } from '@connectrpc/connect'
import type { GetApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { Application } from '@wadi/resources/application.ts'
import { readableApplication } from '../applications/application-view.ts'
import { getApplicationResource, viewOne } from '../applications/read-application.ts'
import { requestHydration } from '../applications/request-hydration.ts'
import type { GatewayContext } from '../context.ts'

/** Returns an Application and which dry commit each of its branches holds; a refresh needs the right to hydrate it. */
export function getApplication(context: GatewayContext) {
  return async ({ namespace, name, refresh }: GetApplicationRequest, call: HandlerContext) => {
    let resource = await getApplicationResource(context, call, { namespace, name })
    if (refresh !== '') resource = await requestHydration(context, call, resource, refresh === 'hard')
    const [application, branches] = await Promise.all([
      viewOne(context, resource),
      readApplicationBranches(context, readableApplication(resource), call.signal),
    ])
    return { application, ...(branches && { branches }) }
  }
}

async function readApplicationBranches(
  { commitServer, logger }: GatewayContext,
  application: Application | undefined,
  signal: AbortSignal,
) {
  if (!application?.hydrated) return undefined
  const { hydrated, project } = application
  const { drySource, syncSource, hydrateTo } = hydrated
  const repoUrl = syncSource.repoURL ?? drySource.repoURL
  const { path, targetBranch: syncBranch } = syncSource
  const read = async (branch: string): Promise<{ drySha: string; manifestId: string }> => {
    try {
      const answer = await commitServer.getBranch({ repoUrl, branch, project, path }, { signal })
      return { drySha: answer.position?.drySha ?? '', manifestId: answer.manifestId }
    } catch (error) {
      // The object is worth showing while its repository cannot be reached; its status tells the reason.
      logger.debug({ err: error, branch }, 'branch could not be read')
      return { drySha: '', manifestId: '' }
    }
  }
  const sync = await read(syncBranch)
  if (!hydrateTo) return { syncBranch, syncDrySha: sync.drySha }
  const staged = await read(hydrateTo.targetBranch)
  // A promoter may merge, which leaves a head without a note, so the manifests decide and not the dry commits.
  const promoted = staged.manifestId !== '' && staged.manifestId === sync.manifestId
  return {
    syncBranch,
    syncDrySha: sync.drySha,
    hydrateToBranch: hydrateTo.targetBranch,
    hydrateToDrySha: staged.drySha,
    promotion: promoted ? 'Promoted' : 'Waiting',
  }
}
