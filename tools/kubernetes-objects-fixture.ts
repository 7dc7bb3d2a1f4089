import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { z } from 'zod'

const named = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
})

/** An object of Kubernetes with a name. */
export type KubernetesObject = z.infer<typeof named> & Record<string, unknown>

const kindsOfTheCluster = new Set([
  'Namespace',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
])

/** Reads the objects of a stream of YAML, sorted, those without a namespace in the given one. */
export function readObjects(yaml: string, namespace: string): KubernetesObject[] {
  const objects = parseManifests(yaml, { file: 'objects' }).map((manifest): KubernetesObject => {
    const object = z.looseObject(named.shape).parse(manifest)
    if (kindsOfTheCluster.has(object.kind)) return object
    return { ...object, metadata: { namespace, ...object.metadata } }
  })
  return objects.toSorted((a, b) => (identityOf(a) < identityOf(b) ? -1 : 1))
}

/** Returns the identity of an object: `Role wadi/wadi-hydrator`. */
export function identityOf({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`
}

/** The template of an object's pods; undefined for an object that has none. */
export function podTemplateOf({ kind, spec }: KubernetesObject): PodTemplate | undefined {
  if (kind !== 'Deployment' && kind !== 'StatefulSet') return undefined
  return workload.parse(spec).template
}

const probe = z.object({ httpGet: z.object({ path: z.string() }) })
const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()),
  ports: z.array(z.object({ name: z.string() })).optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.or(z.object({ tcpSocket: z.object({}) }).transform(() => undefined)).optional(),
  readinessProbe: probe.or(z.object({ tcpSocket: z.object({}) }).transform(() => undefined)).optional(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).optional(),
})
const podTemplate = z.looseObject({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({ containers: z.array(container) }),
})
const workload = z.looseObject({ template: podTemplate })

type PodTemplate = z.infer<typeof podTemplate>
