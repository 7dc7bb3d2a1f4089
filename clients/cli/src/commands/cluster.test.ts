import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { sharedMeshFixture } from '../testing/mesh-fixture.ts'

const mesh = await sharedMeshFixture()

test('a cluster is added by its URL, listed and shown without anything secret, and removed with --yes', async () => {
  const prod = 'https://prod.example.com:6443'
  const added = await mesh.operate([
    'cluster',
    'add',
    prod,
    '--name',
    'prod',
    '--label',
    'env=prod',
    '--label',
    'tier=web',
    '--annotation',
    'owner=a=b',
    '--namespace',
    'web',
    '--namespace',
    'api',
    '--project',
    'default',
  ])
  assert.deepEqual([added.stdout, added.code], [`Cluster '${prod}' added\n`, 0], added.stderr)
  const [list, servers, wide, json] = await Promise.all([
    mesh.operate(['cluster', 'list']),
    mesh.operate(['cluster', 'list', '-o', 'server']),
    mesh.operate(['cluster', 'get', 'prod', '-o', 'wide']),
    mesh.operate(['cluster', 'get', prod, '-o', 'json']),
  ])
  assert.equal(
    list.stdout,
    `SERVER                          NAME        NAMESPACES  LABELS             PROJECT
https://kubernetes.default.svc  in-cluster  *                              ${''}
https://prod.example.com:6443   prod        web,api     env=prod,tier=web  default
`,
  )
  assert.equal(servers.stdout, `https://kubernetes.default.svc\n${prod}\n`)
  assert.match(wide.stdout, /^Cluster information\n\n {2}Server URL: {12}https:\/\/prod\.example\.com:6443\n/)
  assert.deepEqual(JSON.parse(json.stdout), {
    server: prod,
    name: 'prod',
    project: 'default',
    labels: { env: 'prod', tier: 'web' },
    annotations: { owner: 'a=b' },
    namespaces: ['web', 'api'],
  })
  const [silent, wrong] = await Promise.all([
    mesh.operate(['cluster', 'rm', 'prod']),
    mesh.operate(['cluster', 'add', prod, '--label', 'env']),
  ])
  assert.deepEqual([silent.code, wrong.code], [20, 1])
  assert.equal((await mesh.operate(['cluster', 'rm', 'prod', '--yes'])).stdout, "Cluster 'prod' removed\n")
  assert.equal((await mesh.operate(['cluster', 'get', 'prod'])).code, 20)
})

test("a context of kubectl gives its cluster's address and nothing else, from several files", async () => {
  const [contexts, clusters, absent] = ['contexts.yaml', 'clusters.yaml', 'absent.yaml'].map((name) =>
    join(mesh.directory, name),
  )
  assert.ok(contexts && clusters && absent)
  await writeFile(contexts, 'contexts: [{ name: team-staging, context: { cluster: staging, user: me } }]\n')
  await writeFile(
    clusters,
    `clusters: [{ name: staging, cluster: { server: 'https://staging.example.com:6443' } }]
users: [{ name: me, user: { token: very-secret } }]
`,
  )
  const environment = { KUBECONFIG: [absent, contexts, clusters].join(delimiter) }
  const added = await mesh.operate(['cluster', 'add', 'team-staging'], { environment })
  assert.equal(added.stdout, "Cluster 'https://staging.example.com:6443' added\n", added.stderr)
  const { stdout } = await mesh.operate(['cluster', 'get', 'team-staging', '-o', 'yaml'])
  assert.match(stdout, /^server: https:\/\/staging\.example\.com:6443$/m)
  assert.doesNotMatch(stdout, /secret/)
  const [unknown, named] = await Promise.all([
    mesh.operate(['cluster', 'add', 'nowhere'], { environment }),
    mesh.operate(['cluster', 'add', 'edge', '--url', 'https://edge.example.com'], { environment }),
  ])
  assert.equal(unknown.code, 20)
  assert.match(
    unknown.stderr,
    /"nowhere" is neither a URL nor a context of .*; give the address of the cluster with --url/,
  )
  assert.equal(named.stdout, "Cluster 'https://edge.example.com' added\n", named.stderr)
  const { stdout: names } = await mesh.operate(['__complete', 'clusters'])
  assert.match(names, /^edge\nin-cluster\nteam-staging\n$/m)
})
