import type { HandlerContext } from '@connectrpc/connect'
import type { GetParametersRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import {
  isChosen,
  renderedSourcesText,
  type SourceChoice,
} from '@wadi/resources/application/chosen-source.ts'
import { renderedPositions } from '@wadi/resources/application/dry-sources.ts'
import { requirePermittedByProject } from '../applications/permitted-by-project.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import { resolveDry } from '../applications/resolve-dry.ts'
import { chosenRequest } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'

/** Lists the parameters of one of an Application's dry sources; a warning names the others where none was asked for. */
export function getParameters(context: GatewayContext) {
  return async (asked: GetParametersRequest, call: HandlerContext) => {
    const { signal } = call
    const { application } = await getStoredApplication(context, call, asked)
    await requirePermittedByProject(context, application)
    const { request, revised } = chosenRequest(application, asked)
    const { repoUrl, project, source } = request
    const {
      branch: _branch,
      drySha: _drySha,
      ...dry
    } = await resolveDry(context, request, asked.dryRevision, signal, revised)
    const { explain } = asked
    const answer = await context.repoServer.getParameters(
      { repoUrl, project, source, ...dry, explain },
      { signal },
    )
    const others = otherSources(application, asked)
    return others === '' ? answer : { ...answer, warnings: [...answer.warnings, others] }
  }
}

/** Says that there are other sources with parameters; empty when one was named or there are none. */
function otherSources({ hydrated }: Application, choice: SourceChoice): string {
  if (!hydrated || isChosen(choice) || renderedPositions(hydrated).length < 2) return ''
  return `these are the parameters of the first dry source with manifests; name another by position or name: ${renderedSourcesText(hydrated)}`
}
