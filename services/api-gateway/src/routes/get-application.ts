import type { HandlerContext } from '@connectrpc/connect'
import type { GetApplicationRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { type Application, parseApplication } from '@wadi/resources/application.ts'
import { getApplicationResource, viewOne } from '../applications/read-application.ts'
import { requestHydration } from '../applications/request-hydration.ts'
import type { GatewayContext } from '../context.ts'

/** Returns an Application and which dry commit each of its branches holds. */
export function getApplication(context: GatewayContext) {
  return async ({ namespace, name, refresh }: GetApplicationRequest, { signal }: HandlerContext) => {
    let resource = await getApplicationResource(context, namespace, name)
    if (refresh !== '') resource = await requestHydration(context, resource, refresh === 'hard', signal)
    const [application, branches] = await Promise.all([
      viewOne(context, resource),
      readApplicationBranches(context, parseApplication(resource), signal),
    ])
    return { application, ...(branches && { branches }) }
  }
}

async function readApplicationBranches(
  { commitServer, logger }: GatewayContext,
  { hydrated, project }: Application,
  signal: AbortSignal,
) {
  if (!hydrated) return undefined
  const { drySource, syncSource, hydrateTo } = hydrated
  const repoUrl = syncSource.repoURL ?? drySource.repoURL
  const drySha = async (branch: string): Promise<string> => {
    try {
      const { position } = await commitServer.getBranch({ repoUrl, branch, project }, { signal })
      return position?.drySha ?? ''
    } catch (error) {
      // The object is worth showing while its repository cannot be reached; its status tells the reason.
      logger.debug({ err: error, branch }, 'branch could not be read')
      return ''
    }
  }
  const syncDrySha = await drySha(syncSource.targetBranch)
  if (!hydrateTo) return { syncBranch: syncSource.targetBranch, syncDrySha }
  const hydrateToDrySha = await drySha(hydrateTo.targetBranch)
  const promoted = hydrateToDrySha !== '' && hydrateToDrySha === syncDrySha
  return {
    syncBranch: syncSource.targetBranch,
    syncDrySha,
    hydrateToBranch: hydrateTo.targetBranch,
    hydrateToDrySha,
    promotion: promoted ? 'Promoted' : 'Waiting',
  }
}
