import { hash } from 'node:crypto'
import { ConflictError } from '@wadi/errors/domain-error.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { writtenForRequests } from './application/hydration-request.ts'
import type { Resource } from './resource.ts'

/** The annotation by which users, and webhooks of Argo CD, ask for a poll of the remotes of an ApplicationSet now. */
export const refreshAnnotation = 'argocd.argoproj.io/application-set-refresh'

/** The annotations that come and go without a decision. */
const requests: readonly string[] = [...writtenForRequests, refreshAnnotation]

/** Returns a digest of what people decide of an object; its status does not change it, nor does a request for a hydration or a poll. */
export function decidedVersion({ metadata, spec = {} }: Resource): string {
  const { uid = '', labels = {}, annotations = {}, finalizers = [] } = metadata
  const kept = Object.entries(annotations).filter(([name]) => !requests.includes(name))
  const decided = { uid, labels, annotations: Object.fromEntries(kept), finalizers, spec }
  return hash('sha1', canonicalJson(decided))
}

/**
 * Checks that a stored object is the one that a caller saw.
 * @param seen its `decidedVersion` then; empty for any
 * @throws ConflictError
 */
export function requireDecidedVersion(stored: Resource, seen: string): void {
  if (seen === '' || seen === decidedVersion(stored)) return
  const { kind, metadata } = stored
  throw new ConflictError(
    `${kind} ${metadata.namespace}/${metadata.name} was changed by somebody else and is not what you saw; look at it again`,
  )
}
