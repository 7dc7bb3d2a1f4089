import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { AppsetServiceContext } from '../context.ts'

type Namespaces = Pick<AppsetServiceContext, 'permitsNamespace'>

/**
 * Returns the namespace of an ApplicationSet; none is that of the control plane.
 * @throws PermissionDeniedError for a namespace where ApplicationSets may not be, whether one is there or not
 */
export function permittedNamespace({ permitsNamespace }: Namespaces, namespace: string | undefined): string {
  const wanted = namespace === undefined || namespace === '' ? controlPlaneNamespace : namespace
  if (permitsNamespace(wanted)) return wanted
  throw new PermissionDeniedError(`namespace '${wanted}' is not permitted`)
}

/** Namespaces whose ApplicationSets are listed. */
interface ListedNamespaces {
  /** For the store: one namespace or all, of which `includes` tells those that are listed. */
  readonly selection: { readonly namespace?: string }
  readonly includes: (namespace: string | undefined) => boolean
}

/**
 * Returns where to look for ApplicationSets; without a namespace these are all in which they may be.
 * @throws PermissionDeniedError for a namespace where ApplicationSets may not be
 */
export function listedNamespaces(context: Namespaces, namespace: string): ListedNamespaces {
  if (namespace === '')
    return { selection: {}, includes: (own = controlPlaneNamespace) => context.permitsNamespace(own) }
  const wanted = permittedNamespace(context, namespace)
  return { selection: { namespace: wanted }, includes: (own) => own === wanted }
}
