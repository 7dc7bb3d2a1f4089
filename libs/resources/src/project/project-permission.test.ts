import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAppProject } from './app-project.ts'
import { parseApplication } from '../application/application.ts'
import { type Cluster, inCluster } from '../cluster-secret.ts'
import { requireProjectPermits } from './project-permission.ts'

const clusters: Cluster[] = [
  { server: 'https://east', name: 'east', project: 'team', namespaces: [] },
  { server: 'https://west', name: 'west', project: '', namespaces: [] },
  inCluster,
]

function project(spec: Record<string, unknown>) {
  return parseAppProject({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'team', namespace: 'argocd' },
    spec,
  })
}

function application(destination: Record<string, string>) {
  return parseApplication({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd' },
    spec: { project: 'team', destination: { ...destination, namespace: 'shop' } },
  })
}

const byServer = [{ server: 'https://east', namespace: '*' }]
const byName = [{ name: 'east', namespace: '*' }]
const notWest = [
  { server: '!https://west', namespace: '*' },
  { name: '*', namespace: '*' },
]

for (const [title, destinations, destination, known, permitted] of [
  ['a name of a permitted address', byServer, { name: 'east' }, true, true],
  ['that name while no clusters are known', byServer, { name: 'east' }, false, false],
  ['an address of a permitted name', byName, { server: 'https://east/' }, true, true],
  ['that address while no clusters are known', byName, { server: 'https://east' }, false, false],
  ['another name', byServer, { name: 'west' }, true, false],
  ['a name of a denied address', notWest, { name: 'west' }, true, false],
  ['a name that nobody knows beside a denied address', notWest, { name: 'nowhere' }, true, false],
  [
    'in-cluster by its name',
    [{ server: inCluster.server, namespace: '*' }],
    { name: 'in-cluster' },
    true,
    true,
  ],
] as const) {
  test(`${title} is ${permitted ? 'permitted' : 'refused'}`, () => {
    const check = () =>
      requireProjectPermits(project({ destinations }), application(destination), known ? clusters : [])
    if (permitted) check()
    else assert.throws(check, { name: 'PermissionDeniedError' })
  })
}

test('a project that permits its own clusters alone refuses every other, and all while none are known', () => {
  const own = project({
    destinations: [{ server: '*', name: '*', namespace: '*' }],
    permitOnlyProjectScopedClusters: true,
  })
  requireProjectPermits(own, application({ name: 'east' }), clusters)
  requireProjectPermits(own, application({ server: 'https://east' }), clusters)
  for (const [destination, known] of [
    [{ name: 'west' }, clusters],
    [{ server: inCluster.server }, clusters],
    [{ server: 'https://unknown' }, clusters],
    [{ name: 'east' }, []],
  ] as const) {
    assert.throws(() => requireProjectPermits(own, application(destination), known), {
      name: 'PermissionDeniedError',
      message:
        /namespace shop, which is not a cluster of the project's own, is not permitted in project 'team'$/,
    })
  }
})
