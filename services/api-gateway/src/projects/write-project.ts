import type { Resource } from '@wadi/resources/resource.ts'
import { storeObject, type StoreOptions, type StoreOutcome } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'
import { withTokensOf } from './role-tokens.ts'

/** Stores a project that was checked; the roles keep their tokens. */
export function writeProject(
  context: Pick<GatewayContext, 'store'>,
  project: Resource,
  options: Omit<StoreOptions, 'keep'>,
): Promise<StoreOutcome> {
  return storeObject(context, project, { ...options, keep: withTokensOf })
}
