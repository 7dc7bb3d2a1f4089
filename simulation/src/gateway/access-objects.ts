import type { Resource } from '@wadi/resources/resource.ts'
import { projects, users } from './planned-gateway.ts'

/** The policy in which each user sees all Applications and may write those of some projects, named as `user project`. */
export function policyOf(rights: Iterable<string>): Record<string, string> {
  const seeing = users.map((user) => `p, ${user}, applications, get, */*, allow`)
  const writing = [...rights].map((right) => {
    const [user, project] = right.split(' ')
    return `p, ${user}, applications, *, ${project}/*, allow`
  })
  return { 'policy.csv': [...seeing, ...writing].join('\n') }
}

/** The rules of a project that permits all Applications of the world, or none. */
export function rulesOf(isOpen: boolean): Record<string, unknown> {
  return { sourceRepos: ['*'], destinations: isOpen ? [{ server: '*', namespace: '*' }] : [] }
}

/** The policy and the projects as a world begins. */
export function accessObjects(): Resource[] {
  const metadata = { namespace: 'argocd' }
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, name: 'argocd-rbac-cm' },
      data: policyOf([]),
    },
    ...projects.map((name) => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { ...metadata, name },
      spec: rulesOf(true),
    })),
  ]
}
