import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** Annotations by which programs remember what they wrote, and that they are alive. */
const droppedAnnotations: readonly string[] = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'control-plane.alpha.kubernetes.io/leader',
]

/** The field in an expression, in each of CEL's forms; those with quotes are escaped in JSON. */
const statusField = /(?:\.\??|\[\??(?:'|\\"))status\b/

/** True if an expression of a policy reads a field `status`, of whatever object. */
export function readsStatus({ spec }: Resource): boolean {
  return statusField.test(JSON.stringify(spec))
}

/**
 * Returns the part of a parameter that policies read, as JSON whose order does not depend on who wrote the object: what changes with
 * every write is left out.
 */
export function parameterText(text: string, withStatus: boolean): string {
  const { metadata, status, ...rest }: Resource = JSON.parse(text)
  const { name, namespace, labels } = metadata
  const annotations = Object.entries(metadata.annotations ?? {}).filter(
    ([key]) => !droppedAnnotations.includes(key),
  )
  return canonicalJson({
    ...rest,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    },
    ...(withStatus && status !== undefined && { status }),
  })
}
