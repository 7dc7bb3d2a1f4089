import { applicationObject, objectInProject } from '@wadi/rbac/decide/application-object.ts'
import { isClusterSecret, readClusterSecret } from '@wadi/resources/cluster-secret.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** The name of an object in policies. */
export interface PolicyObject {
  resource: string
  /** For example `dev/web`. */
  object: string
}

/**
 * Returns what policies call a stored object. What has no resource of its own is of `settings`: `<Kind>/<name>`, and
 * `<Kind>/<namespace>/<name>` outside of the control plane's namespace.
 */
export function policyObjectOf(resource: Resource): PolicyObject {
  const { kind, metadata } = resource
  if (kind === 'Application') return { resource: 'applications', object: applicationObject(resource) }
  if (kind === 'AppProject') return { resource: 'projects', object: metadata.name }
  if (isClusterSecret(resource)) return clusterObject(readClusterSecret(resource))
  return { resource: 'settings', object: objectInProject(kind, metadata.namespace, metadata.name) }
}

/** Returns what policies call a cluster: its address, with the project in front that it belongs to. */
export function clusterObject({ server, project }: { server: string; project: string }): PolicyObject {
  return { resource: 'clusters', object: project === '' ? server : `${project}/${server}` }
}

/** Returns what policies call read or write credentials: their URL, with the project in front that they are limited to. */
export function repositoryObject(
  write: boolean,
  { repoUrl, project }: { repoUrl: string; project: string },
): PolicyObject {
  return {
    resource: write ? 'write-repositories' : 'repositories',
    object: project === '' ? repoUrl : `${project}/${repoUrl}`,
  }
}
