import type { Resource } from '@wadi/resources/resource.ts'
import { storeObject, type StoreOptions, type StoreOutcome } from '../applications/store-application.ts'
import { dropTokensOfRemovedRoles } from '../accounts/project-tokens.ts'
import type { GatewayContext } from '../context.ts'
import { withTokensOf } from './role-tokens.ts'

/** Stores a project that was checked; the roles keep their tokens, and the tokens of a role that is removed are revoked with it. */
export async function writeProject(
  context: Pick<GatewayContext, 'store'>,
  project: Resource,
  options: Omit<StoreOptions, 'keep'>,
): Promise<StoreOutcome> {
  const { resource, outcome } = await storeObject(context, project, { ...options, keep: withTokensOf })
  if (options.dryRun) return { resource, outcome }
  return { resource: await dropTokensOfRemovedRoles(context.store, resource), outcome }
}
