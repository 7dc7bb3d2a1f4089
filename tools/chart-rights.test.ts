import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gatewayObjects } from '@wadi/api-gateway/stored-objects.ts'
import { appsetServiceObjects } from '@wadi/appset-service/stored-objects.ts'
import { clusterPolicyObjects, hydratorObjects } from '@wadi/hydrator/stored-objects.ts'
import { usedResource } from '@wadi/kubernetes/store/stored-kinds.ts'
import { repositoryObjects } from '@wadi/repositories/repository-objects.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { neededRights, type StoredObjects } from '@wadi/state/stored-objects.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { renderChart } from './chart.ts'
import { listOf, openNamespaces } from './cluster-namespaces-fixture.ts'
import { readObjects } from './kubernetes-objects-fixture.ts'

interface Credentials {
  readonly readNamespace: string
  readonly writeNamespace: string
}

/** The objects that each account reads and writes, as its service declares them. */
const objectsOf = ({
  readNamespace,
  writeNamespace,
}: Credentials): Readonly<Record<string, readonly StoredObjects[]>> => ({
  'api-gateway': gatewayObjects,
  hydrator: hydratorObjects,
  'appset-service': appsetServiceObjects,
  'repo-server': repositoryObjects('read', readNamespace),
  'commit-server': repositoryObjects('write', writeNamespace),
  'cmp-server': [],
  redis: [],
})

const kindsOfAccess = new Set(['ServiceAccount', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'])

suite(
  'accounts have the rights that their services need, and no other',
  { skip: planeMissing() ?? false },
  () => {
    test('each service, in its namespace and in one of Applications', async () => {
      const cluster = await openCluster(['cmpServer.enabled=true'])
      for (const [service, objects] of Object.entries(objectsOf(cluster))) {
        await assertRights(cluster, service, objects)
      }
    })

    test('all services in one pod', async () => {
      const cluster = await openCluster(['shape=small'])
      await assertRights(cluster, 'mesh', Object.values(objectsOf(cluster)).flat())
    })

    test('the policies of the cluster, where the operator lets the hydrator read them', async () => {
      const cluster = await openCluster(['clusterPolicies=true'])
      await assertRights(cluster, 'hydrator', [...hydratorObjects, ...clusterPolicyObjects])
      const small = await openCluster(['clusterPolicies=true', 'shape=small'])
      const all = Object.values(objectsOf(small)).flat()
      await assertRights(small, 'mesh', [...all, ...clusterPolicyObjects])
    })

    test('the parameters of those policies that the operator lists', async () => {
      const { kubectl, namespace, writeNamespace, teams } = await openCluster([
        'clusterPolicies=true',
        'clusterPolicyParameters[0].group=rules.example.com',
        'clusterPolicyParameters[0].resource=limits',
        'clusterPolicyParameters[1].resource=configmaps',
        'clusterPolicyParameters[1].namespace=kube-public',
        'clusterPolicyParameters[1].names[0]=limits',
      ])
      const account = `system:serviceaccount:${namespace}:wadi-hydrator`
      const rightsIn = async (place: string) =>
        (await kubectl(['auth', 'can-i', '--list', '--no-headers', '--as', account, '--namespace', place]))
          .split('\n')
          .flatMap(grantsOf)
          .filter((right) => /limits/.test(right))
      const everywhere = ['list limits.rules.example.com', 'watch limits.rules.example.com']
      assert.deepEqual(distinct(await rightsIn(teams)), everywhere)
      assert.deepEqual(distinct(await rightsIn(writeNamespace)), everywhere)
      assert.deepEqual(distinct(await rightsIn('kube-public')), [
        'list configmaps limits',
        ...everywhere.slice(0, 1),
        'watch configmaps limits',
        ...everywhere.slice(1),
      ])
    })

    test('beside Argo CD, where credentials are in the namespace of the release', async () => {
      const cluster = await openCluster([], 'in the namespace of the release')
      for (const [service, objects] of Object.entries(objectsOf(cluster))) {
        if (service !== 'cmp-server') await assertRights(cluster, service, objects)
      }
    })
  },
)

/** The accounts and roles of the chart in namespaces of a test; the second one has Applications only. */
async function openCluster(values: readonly string[], credentials?: 'in the namespace of the release') {
  const { kubectl, namespace, writeNamespace, ...own } = await openNamespaces()
  const readNamespace = credentials === undefined ? own.readNamespace : namespace
  const set = [
    ...values,
    `credentials.namespace=${readNamespace}`,
    `writeCredentials.namespace=${writeNamespace}`,
    'repositoriesThroughApi=false',
  ]
  const teams = (await openNamespaces()).namespace
  const text = await renderChart({ namespace, set: [...set, `applicationNamespaces[0]=${teams}`] })
  const access = readObjects(text, namespace).filter(({ kind }) => kindsOfAccess.has(kind))
  await kubectl(['apply', '--filename=-'], listOf(access))
  return { kubectl, namespace, readNamespace, writeNamespace, teams }
}

async function assertRights(
  { kubectl, namespace, readNamespace, writeNamespace, teams }: Awaited<ReturnType<typeof openCluster>>,
  service: string,
  objects: readonly StoredObjects[],
): Promise<void> {
  const placed = objects.map((stored) =>
    stored.within === 'credentials' ? { ...stored, within: { namespace: readNamespace } } : stored,
  )
  const rights = neededRights(placed, { namespaces: [controlPlaneNamespace, teams] })
  const account = `system:serviceaccount:${namespace}:wadi-${service}`
  for (const place of new Set([namespace, teams, readNamespace, writeNamespace])) {
    const wanted = rights
      .filter(
        (right) =>
          (right.namespace === controlPlaneNamespace ? namespace : (right.namespace ?? place)) === place,
      )
      .map(({ verb, kind, subresource, name = '' }) => {
        const { group, plural } = usedResource(kind)
        const resource = [group === '' ? plural : `${plural}.${group}`, subresource].filter(Boolean).join('/')
        return `${verb} ${resource} ${name}`.trim()
      })
    const listed = await kubectl([
      'auth',
      'can-i',
      '--list',
      '--no-headers',
      '--as',
      account,
      '--namespace',
      place,
    ])
    const granted = listed.split('\n').flatMap(grantsOf)
    assert.deepEqual(distinct(granted), distinct(wanted), `${service} in ${place}`)
  }
}

/** The rights in a line of `kubectl auth can-i --list`, such as `get configmaps argocd-cm`, without those of every account. */
function grantsOf(line: string): string[] {
  const [, resource = '', names = '', verbs = ''] =
    /^(\S*)\s+\[.*?\]\s+\[(.*?)\]\s+\[(.*?)\]$/.exec(line) ?? []
  if (resource === '' || resource.startsWith('selfsubject')) return []
  const named = names === '' ? [''] : names.split(' ')
  return verbs.split(' ').flatMap((verb) => named.map((name) => `${verb} ${resource} ${name}`.trim()))
}

/** The rights, sorted, once each, and without those to named objects where there is the same right to all. */
function distinct(rights: readonly string[]): string[] {
  const all = new Set(rights)
  const isCovered = (right: string): boolean => {
    const [verb, resource, name] = right.split(' ')
    return name !== undefined && all.has(`${verb} ${resource}`)
  }
  return [...all].filter((right) => !isCovered(right)).toSorted()
}
