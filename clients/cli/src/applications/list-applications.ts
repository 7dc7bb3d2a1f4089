import type { JsonObject } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { readJson } from '../connection/read-json.ts'
import { findServerAccess } from '../connection/server-access.ts'
import { listAt } from '@wadi/fields/json-fields.ts'

/** The filter of a list of Applications, as in `ListApplicationsRequest`. */
interface ListRequest {
  namespace?: string
  selector?: string
  projects?: string[]
  fields?: string[]
}

/** Returns the Applications that the caller may see, by namespace and name. */
export async function listApplications(
  session: CommandSession,
  request: ListRequest,
  signal: AbortSignal = session.signal,
): Promise<JsonObject[]> {
  const rpc = 'wadi.api_gateway.v1.ApplicationService/ListApplications'
  const access = await findServerAccess(session.flags(), session.environment)
  const answer = await readJson(access, rpc, { ...request }, signal)
  if (answer) return listAt(answer, 'applications').filter(isJsonObject)
  const server = await session.connect('applications')
  return (await server.applications.listApplications(request, { signal })).applications
}
