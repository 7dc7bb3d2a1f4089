import { isJsonObject } from '@wadi/fields/json-object.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'

const trackingId = 'argocd.argoproj.io/tracking-id'
const instanceLabel = 'app.kubernetes.io/instance'
const fluxOwnerLabel = /^(?:kustomize|helm)\.toolkit\.fluxcd\.io\/(?:name|namespace)$/

/**
 * Returns the objects of an Application without what Argo CD or Flux adds to them to track them, and without the namespace that they
 * are deployed to, which a tool may write or not.
 */
export function withoutTracking(objects: readonly Manifest[], application: Manifest): Manifest[] {
  const name = textAt(application, 'metadata', 'name')
  const destination = textAt(application, 'spec', 'destination', 'namespace')
  return objects.map((object) => {
    const { metadata } = object
    if (!isJsonObject(metadata)) return object
    const { annotations, labels, namespace, ...rest } = metadata
    return {
      ...object,
      metadata: {
        ...rest,
        ...(namespace !== undefined && namespace !== destination && { namespace }),
        ...field('annotations', annotations, (key) => key !== trackingId),
        ...field(
          'labels',
          labels,
          (key, value) => !fluxOwnerLabel.test(key) && (key !== instanceLabel || value !== name),
        ),
      },
    }
  })
}

/** The entries of an object that stay; nothing if none do. */
function field(
  name: string,
  value: JsonValue | undefined,
  stays: (key: string, value: JsonValue) => boolean,
): Manifest {
  if (!isJsonObject(value)) return {}
  const kept = Object.entries(value).filter(([key, content]) => stays(key, content))
  return kept.length === 0 ? {} : { [name]: Object.fromEntries(kept) }
}
