import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { readHydratedBranch, type HydratedBranchStatus } from '@wadi/hydration/hydrated-branch.ts'
import type { ApiResource } from '@wadi/kubernetes/client/api-resource.ts'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { type TestCluster, testClusterKinds } from '@wadi/testing/kubernetes-api/test-cluster.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { sharedKubernetesPlane } from '@wadi/testing/kubernetes-plane/shared-plane.ts'

const argoKind = (kind: string, plural: string): ApiResource => ({
  group: 'argoproj.io',
  version: 'v1alpha1',
  kind,
  plural,
})
const branches = {
  group: 'wadi.dev',
  version: 'v1alpha1',
  kind: 'HydratedBranch',
  plural: 'hydratedbranches',
}

const spec = { repoURL: 'https://git.example.com/deploy.git', branch: 'environments/dev', project: 'team' }

/** A record with every field that the hydrator writes. */
const status: Required<HydratedBranchStatus> = {
  groups: [
    {
      repoURL: 'https://git.example.com/dry.git',
      targetRevision: 'main',
      phase: 'Failed',
      message: 'the revision does not exist',
      failures: [{ application: 'argocd/web', message: 'spec.project is required' }],
      startedAt: '2026-01-01T09:00:00Z',
      finishedAt: '2026-01-01T09:00:01Z',
      drySha: 'd'.repeat(40),
      success: {
        drySha: 'c'.repeat(40),
        hydratedSha: 'a'.repeat(40),
        members: 'm',
        settings: 's',
        finishedAt: '2026-01-01T08:00:00Z',
      },
      failed: { inputs: 'i', attempts: 2, retry: 'time', head: 'a'.repeat(40) },
    },
    {
      repoURL: 'https://git.example.com/dry.git',
      targetRevision: 'main',
      sources: 'another list that begins with the same source',
      phase: 'Hydrated',
      message: '',
      failures: [],
      startedAt: '2026-01-01T09:00:00Z',
      success: {
        drySha: 'c'.repeat(40),
        others: [{ drySha: 'e'.repeat(64), version: '1.2.0' }, { drySha: 'f'.repeat(40) }],
        hydratedSha: 'a'.repeat(40),
        members: 'm',
        settings: 's',
        finishedAt: '2026-01-01T08:00:00Z',
      },
    },
  ],
  leftTo: 'other-installation',
  repeated: [
    { objects: ['Secret web'], count: 1, applications: ['argocd/a', 'argocd/b'], applicationCount: 2 },
  ],
  applications: 3,
  rendered: 2,
  milliseconds: 1234,
  head: 'a'.repeat(40),
  foreignChange: {
    kind: 'edited',
    knownHead: 'a'.repeat(40),
    headSha: 'b'.repeat(40),
    paths: ['web/manifest.yaml'],
    commit: 'b'.repeat(40),
    author: 'Ann <ann@example.com>',
    detectedAt: '2026-01-01T09:00:00Z',
    policy: 'report',
  },
  warnings: ['odd'],
  tools: { helm: 'v4.1.4', kustomize: 'v5.7.1' },
  pullRequest: {
    number: '7',
    url: 'https://git.example.com/deploy/pull/7',
    state: 'open',
    baseBranch: 'main',
    headSha: 'a'.repeat(40),
    baseSha: 'b'.repeat(40),
    settings: 's',
    message: 'waiting: checks have not passed',
    isSettled: false,
    retryAt: '2026-01-01T09:00:00Z',
  },
}

for (const { name: clusterName, missing, open } of testClusterKinds) {
  suite(`the CustomResourceDefinitions in the ${clusterName}`, { skip: missing ?? false }, () => {
    let cluster: TestCluster
    let client: KubernetesClient
    before(async () => {
      cluster = await open()
      client = new KubernetesClient(cluster.config)
    })
    after(async () => {
      await client[Symbol.asyncDispose]()
      await cluster[Symbol.asyncDispose]()
    })

    test('keep everything that the hydrator records of a branch', async () => {
      const namespace = await cluster.createNamespace()
      const created = await client.create(branches, {
        apiVersion: 'wadi.dev/v1alpha1',
        kind: 'HydratedBranch',
        metadata: { namespace, name: 'dev' },
        spec,
      })
      const recorded = await client.updateStatus(branches, { ...created, status: { ...status } })
      const { repoURL: repoUrl, branch, project } = spec
      assert.deepEqual(readHydratedBranch(recorded), { repoUrl, branch, project, status })
    })

    for (const [kind, plural, hasStatus] of [
      ['Application', 'applications', false],
      ['ApplicationSet', 'applicationsets', true],
      ['AppProject', 'appprojects', false],
    ] as const) {
      test(`keep every field of an ${kind}, with a status ${hasStatus ? 'apart' : 'as a part'} as Argo CD has it`, async () => {
        const namespace = await cluster.createNamespace()
        const object = {
          apiVersion: 'argoproj.io/v1alpha1',
          kind,
          metadata: { namespace, name: 'web' },
          spec: { any: { field: [1, { of: 'it' }] } },
          status: { any: true },
        }
        const created = await client.create(argoKind(kind, plural), object)
        assert.deepEqual(created.spec, object.spec)
        assert.deepEqual(created.status, hasStatus ? undefined : object.status)
        const { spec: _spec, ...withoutSpec } = object
        await assert.rejects(
          client.create(argoKind(kind, plural), {
            ...withoutSpec,
            metadata: { namespace, name: 'empty' },
          }),
          { name: 'InvalidInputError', path: 'spec' },
        )
      })
    }
  })
}

suite('a HydratedBranch in a real API server', { skip: planeMissing() ?? false }, () => {
  test('stays with its branch, and shows its phase in the columns of kubectl', async () => {
    const cluster = await testClusterKinds.find(({ name }) => name === 'API server')?.open()
    assert.ok(cluster !== undefined)
    await using resources = new AsyncDisposableStack()
    resources.use(cluster)
    const client = resources.use(new KubernetesClient(cluster.config))
    const namespace = await cluster.createNamespace()
    const key = { namespace, name: 'dev' }
    const created = await client.create(branches, {
      apiVersion: 'wadi.dev/v1alpha1',
      kind: 'HydratedBranch',
      metadata: key,
      spec,
    })
    await client.updateStatus(branches, { ...created, status: { ...status } })
    await assert.rejects(client.patch(branches, key, { spec: { branch: 'environments/prod' } }), {
      name: 'InvalidInputError',
      message: /a record stays with its branch; delete it and the hydrator makes another one/,
    })
    assert.equal(
      (await client.patch(branches, key, { spec: { project: 'other' } })).spec?.['project'],
      'other',
    )

    const plane = await sharedKubernetesPlane()
    const table = await plane.ask('GET', `/apis/wadi.dev/v1alpha1/namespaces/${namespace}/hydratedbranches`, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    })
    const { columnDefinitions, rows } = JSON.parse(table.body)
    const columns = columnDefinitions.map(({ name, priority }: { name: string; priority: number }) => [
      name,
      priority,
    ])
    assert.deepEqual(columns, [
      ['Name', 0],
      ['Branch', 0],
      ['Phase', 0],
      ['Apps', 0],
      ['Age', 0],
      ['Repository', 1],
      ['Head', 1],
      ['Message', 1],
    ])
    assert.deepEqual(rows[0].cells.toSpliced(4, 1), [
      'dev',
      spec.branch,
      'Failed',
      3,
      spec.repoURL,
      status.head,
      'the revision does not exist',
    ])
  })
})
