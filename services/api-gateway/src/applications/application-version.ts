import { hash } from 'node:crypto'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { writtenForRequests } from '@wadi/resources/application/hydration-request.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** Returns a digest of what people decide of an Application; its status does not change it, nor does a request for a hydration. */
export function applicationVersion({ metadata, spec = {} }: Resource): string {
  const { uid = '', labels = {}, annotations = {}, finalizers = [] } = metadata
  const kept = Object.entries(annotations).filter(([name]) => !writtenForRequests.includes(name))
  const decided = { uid, labels, annotations: Object.fromEntries(kept), finalizers, spec }
  return hash('sha1', canonicalJson(decided))
}

/**
 * Checks that an Application is the one that a caller saw.
 * @param seen its `applicationVersion` then; empty for any
 * @throws ConflictError
 */
export function requireApplicationVersion(stored: Resource, seen: string): void {
  if (seen === '' || seen === applicationVersion(stored)) return
  const { namespace, name } = stored.metadata
  throw new ConflictError(
    `Application ${namespace}/${name} was changed by somebody else and is not what you saw; look at it again`,
  )
}
