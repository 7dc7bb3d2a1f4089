import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gatewayObjects } from '@wadi/api-gateway/stored-objects.ts'
import { appsetServiceObjects } from '@wadi/appset-service/stored-objects.ts'
import { hydratorObjects } from '@wadi/hydrator/stored-objects.ts'
import { usedResource } from '@wadi/kubernetes/store/stored-kinds.ts'
import { repositoryObjects } from '@wadi/repositories/repository-objects.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { neededRights, type StoredObjects } from '@wadi/state/stored-objects.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { renderChart } from './chart.ts'
import { listOf, openNamespaces } from './cluster-namespaces-fixture.ts'
import { readObjects } from './kubernetes-objects-fixture.ts'

/** The objects that each account reads and writes, as its service declares them. */
const objectsOf: Readonly<Record<string, readonly StoredObjects[]>> = {
  'api-gateway': gatewayObjects,
  hydrator: hydratorObjects,
  'appset-service': appsetServiceObjects,
  'repo-server': repositoryObjects('read', controlPlaneNamespace),
  'cmp-server': [],
  redis: [],
}

const kindsOfAccess = new Set(['ServiceAccount', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'])

suite(
  'accounts have the rights that their services need, and no other',
  { skip: planeMissing() ?? false },
  () => {
    test('each service, in its namespace and in one of Applications', async () => {
      const cluster = await openCluster(['cmpServer.enabled=true'])
      for (const [service, objects] of Object.entries(objectsOf)) {
        await assertRights(cluster, service, objects)
      }
    })

    test('all services in one pod', async () => {
      const cluster = await openCluster(['shape=small'])
      const all = [...Object.values(objectsOf).flat(), ...repositoryObjects('write', cluster.writeNamespace)]
      await assertRights(cluster, 'mesh', all)
    })
  },
)

/** The accounts and roles of the chart in namespaces of a test; the second one has Applications only. */
async function openCluster(values: readonly string[]) {
  const { kubectl, namespace, writeNamespace } = await openNamespaces()
  const set = [
    ...values,
    `writeCredentials.namespace=${writeNamespace}`,
    'writeCredentials.createNamespace=false',
    'repositoriesThroughApi=false',
  ]
  const teams = (await openNamespaces()).namespace
  const text = await renderChart({ namespace, set: [...set, `applicationNamespaces[0]=${teams}`] })
  const access = readObjects(text, namespace).filter(({ kind }) => kindsOfAccess.has(kind))
  await kubectl(['apply', '--filename=-'], listOf(access))
  return { kubectl, namespace, writeNamespace, teams }
}

async function assertRights(
  { kubectl, namespace, writeNamespace, teams }: Awaited<ReturnType<typeof openCluster>>,
  service: string,
  objects: readonly StoredObjects[],
): Promise<void> {
  const rights = neededRights(objects, { namespaces: [controlPlaneNamespace, teams] })
  const account = `system:serviceaccount:${namespace}:wadi-${service}`
  for (const place of [namespace, teams, writeNamespace]) {
    const wanted = rights
      .filter((right) => (right.namespace === controlPlaneNamespace ? namespace : right.namespace) === place)
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
