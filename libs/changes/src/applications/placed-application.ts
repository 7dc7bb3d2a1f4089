import {
  type Application,
  hydratedBranchOf,
  parseApplication,
} from '@wadi/resources/application/application.ts'
import { type DrySource, drySourcesOf } from '@wadi/resources/application/dry-sources.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'

/** A hydrated Application as an object says it, and where it is hydrated to. */
export interface PlacedApplication {
  /** `namespace/name`. */
  readonly key: string
  readonly application: Application
  readonly repoUrl: string
  readonly branch: string
  readonly path: string
  readonly sources: readonly DrySource[]
}

/**
 * Reads an Application; undefined for one that is not hydrated.
 * @param defaultNamespace that of an Application that names none
 * @throws InvalidInputError
 */
export function placedApplication(
  value: unknown,
  defaultNamespace = controlPlaneNamespace,
): PlacedApplication | undefined {
  const application = parseApplication(checkedResource(value))
  const { hydrated, metadata } = application
  const target = hydratedBranchOf(application)
  if (!hydrated || !target) return undefined
  const namespace = metadata.namespace ?? defaultNamespace
  const named = { ...application, metadata: { ...metadata, namespace } }
  return {
    key: `${namespace}/${metadata.name}`,
    application: named,
    repoUrl: target.repoUrl,
    branch: target.branch,
    path: hydrated.syncSource.path,
    sources: drySourcesOf(hydrated),
  }
}
