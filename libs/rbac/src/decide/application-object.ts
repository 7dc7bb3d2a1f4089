import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/**
 * Returns what policies call an Application: `<project>/<name>`, and `<project>/<namespace>/<name>` outside of the
 * control plane's namespace. It is there for objects that cannot be read too, so that they can be shown and deleted.
 */
export function applicationObject({ metadata, spec }: Pick<Resource, 'metadata' | 'spec'>): string {
  const project = spec?.['project']
  const inProject = typeof project === 'string' && project !== '' ? project : 'default'
  return objectInProject(inProject, metadata.namespace, metadata.name)
}

/** Returns what policies call an object of a project with a namespace and a name. */
export function objectInProject(project: string, namespace: string | undefined, name: string): string {
  const isElsewhere = namespace !== undefined && namespace !== '' && namespace !== controlPlaneNamespace
  return isElsewhere ? `${project}/${namespace}/${name}` : `${project}/${name}`
}
