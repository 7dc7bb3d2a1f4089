import { create, type JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { errorMessage, FailedPreconditionError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { ListHistoryRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { runRoutes } from '../routes/runs.ts'
import { type StatusAdditions, syncSourceOf } from './application-on-the-wire.ts'

/** The number of entries that Argo CD keeps by default. */
const defaultEntries = 10

/**
 * Returns the hydrated commits of an Application as Argo CD's history, the oldest first, numbered from 0. When they cannot
 * be read, a condition reports why, because the Application is worth showing all the same.
 */
export async function applicationHistory(
  context: GatewayContext,
  call: HandlerContext,
  reference: { name: string; namespace: string },
  view: JsonObject,
): Promise<StatusAdditions> {
  const limit = entryLimit(view)
  if (limit === 0) return {}
  try {
    const request = create(ListHistoryRequestSchema, { ...reference, limit })
    const { entries } = await runRoutes(context).listHistory(request, call)
    const source = hydratedSource(view)
    const history = entries.toReversed().map(({ hydratedSha, date }, id) => ({
      id,
      revision: hydratedSha,
      deployedAt: date,
      source,
    }))
    return { history }
  } catch (error) {
    // An Application that is not hydrated has no branch, and one that was never hydrated may have none.
    if (error instanceof NotFoundError || error instanceof FailedPreconditionError) return {}
    const message = `the hydrated branch cannot be read: ${errorMessage(error)}`
    return { conditions: [{ type: 'ComparisonError', message }] }
  }
}

function entryLimit({ spec }: JsonObject): number {
  const limit = isJsonObject(spec) ? spec['revisionHistoryLimit'] : undefined
  return typeof limit === 'number' && limit >= 0 ? Math.min(limit, 100) : defaultEntries
}

/** Returns the source with the commits: the staging branch if there is one. */
function hydratedSource(view: JsonObject): JsonObject {
  const { spec } = view as { spec?: { sourceHydrator?: { hydrateTo?: { targetBranch?: string } } } }
  const staging = spec?.sourceHydrator?.hydrateTo?.targetBranch
  return { ...syncSourceOf(view), ...(staging !== undefined && { targetRevision: staging }) }
}
