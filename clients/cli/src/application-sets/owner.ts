import type { JsonObject } from '@bufbuild/protobuf'
import type { QualifiedName } from '../applications/application-name.ts'
import { listAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'
import type { ServerConnection } from '../connection/server-connection.ts'

/**
 * Returns the Applications that a set owns. The uid decides, not the name: a set of the same name may have been there
 * before.
 */
export function ownedApplications(applications: readonly JsonObject[], set: JsonObject): JsonObject[] {
  const uid = textAt(set, 'metadata', 'uid')
  return applications.filter((application) =>
    listAt(application, 'metadata', 'ownerReferences').some(
      (owner) => textAt(owner, 'uid') === uid && valueAt(owner, 'controller') === true && uid !== '',
    ),
  )
}

/** Reads a set. @throws ConnectError NotFound for one that does not exist or is not visible. */
export async function getApplicationSet(
  applicationSets: ServerConnection['applicationSets'],
  name: QualifiedName,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { applicationSet = {} } = await applicationSets.getApplicationSet(name, { signal })
  return applicationSet
}
