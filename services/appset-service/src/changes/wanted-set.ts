import { isDeepStrictEqual } from 'node:util'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shownObject } from '@wadi/resources/shown-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { AppsetServiceContext } from '../context.ts'
import { permittedNamespace } from '../access/set-namespace.ts'
import { parseApplicationSet } from '@wadi/application-sets/application-set.ts'

/** A set as a user sends it. */
export interface WantedSet {
  /** The parts that users decide: the rest of the metadata and the status are not theirs. */
  resource: Resource
  /** The version that the user saw; empty for any. */
  resourceVersion: string
}

/**
 * Takes what a user sends for a set.
 * @throws InvalidInputError; PermissionDeniedError for a namespace where no sets may be
 */
export function wantedSet(
  context: Pick<AppsetServiceContext, 'permitsNamespace'>,
  value: unknown,
): WantedSet {
  parseApplicationSet(value)
  const { apiVersion, kind, metadata, spec = {} } = checkedResource(value)
  const { name, resourceVersion } = metadata
  if (shownObject({ apiVersion, kind, metadata, spec }).spec !== spec) {
    throw new InvalidInputError(
      `ApplicationSet ${name}: an address in spec contains a password or a token; store it with "wadi repo add" instead`,
    )
  }
  const namespace = permittedNamespace(context, metadata.namespace)
  return {
    resource: { apiVersion, kind, metadata: { name, namespace, ...describing(metadata) }, spec },
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
  }
}

/** Returns whether users have decided the same about two states of a set. */
export function isSameSet(one: Resource, other: Resource): boolean {
  return isDeepStrictEqual(decided(one), decided(other))
}

/** Returns the set that a user wants, with the identity and status of the stored one. */
export function withIdentityOf(
  { metadata, ...wanted }: Resource,
  { metadata: stored, status }: Resource,
): Resource {
  const { labels: _l, annotations: _a, finalizers: _f, ...identity } = stored
  return { ...wanted, metadata: { ...identity, ...metadata }, ...(status && { status }) }
}

function decided({ metadata, spec }: Resource): unknown {
  const { labels = {}, annotations = {}, finalizers = [] } = metadata
  return JSON.parse(JSON.stringify({ labels, annotations, finalizers, spec }))
}

function describing({ labels, annotations, finalizers }: Resource['metadata']) {
  return { ...(labels && { labels }), ...(annotations && { annotations }), ...(finalizers && { finalizers }) }
}
