import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { application, applications, hydratedBranch, hydratedBranches } from '../../object-fixture.ts'
import type { ContractCluster } from './contract-cluster-fixture.ts'

/** The tests of how objects are written and deleted. */
export function objectLifecycle(at: ContractCluster): void {
  test('status is apart where the kind has that subresource, and a part where it has none', async () => {
    const namespace = await at.createNamespace()
    const branch = hydratedBranch(namespace, 'a')
    const created = await at.client.create(hydratedBranches, { ...branch, status: { applications: 1 } })
    assert.equal(created.status, undefined)
    const status = { applications: 3, unknown: true, groups: [{ repoURL: 'r', targetRevision: 'main' }] }
    const reported = await at.client.updateStatus(hydratedBranches, {
      ...created,
      spec: { repoURL: 'x', branch: 'y' },
      status,
    })
    // The defaults of fields that are missing are added.
    const groups = [{ repoURL: 'r', targetRevision: 'main', chart: '', sources: '' }]
    assert.deepEqual(reported.status, { applications: 3, groups })
    assert.deepEqual(reported.spec, branch.spec)
    assert.equal(reported.metadata.generation, 1)
    await assert.rejects(at.client.updateStatus(hydratedBranches, created), ConflictError)
    const replaced = await at.client.update(hydratedBranches, {
      ...reported,
      spec: { ...reported.spec, project: 'p' },
      status: {},
    })
    assert.deepEqual(replaced.status, reported.status)
    assert.equal(replaced.metadata.generation, 2)
    const patched = await at.client.patch(
      hydratedBranches,
      { namespace, name: 'a' },
      { status: { applications: 4 } },
      { subresource: 'status' },
    )
    assert.equal(patched.status?.['applications'], 4)
    await assert.rejects(
      at.client.updateStatus(hydratedBranches, {
        ...patched,
        status: { groups: [{ repoURL: 'r', targetRevision: 'main', phase: 'Odd' }] },
      }),
      { name: 'InvalidInputError', message: /Unsupported value: "Odd"/ },
    )

    const web = await at.client.create(applications, {
      ...application(namespace, 'web'),
      status: { reconciledAt: 'now' },
    })
    assert.deepEqual(web.status, { reconciledAt: 'now' })
    await assert.rejects(at.client.updateStatus(applications, web), {
      name: 'NotFoundError',
      message: 'applications.argoproj.io "web" not found',
    })
    const touched = await at.client.patch(
      applications,
      { namespace, name: 'web' },
      { status: { reconciledAt: 'later' } },
    )
    assert.equal(touched.metadata.generation, 2)
  })

  test('a merge patch changes what it names, and only the version that it names', async () => {
    const namespace = await at.createNamespace()
    const key = { namespace, name: 'web' }
    const created = await at.client.create(
      applications,
      application(namespace, 'web', { annotations: { a: '1', b: '2' } }, { list: [1, 2], keep: { x: 1 } }),
    )
    const patched = await at.client.patch(applications, key, {
      metadata: { annotations: { a: null, c: '3' } },
      spec: { list: [3], keep: { y: 2 } },
    })
    assert.deepEqual(patched.metadata.annotations, { b: '2', c: '3' })
    assert.deepEqual(patched.spec, { list: [3], keep: { x: 1, y: 2 } })
    const { resourceVersion } = created.metadata
    await assert.rejects(
      at.client.patch(applications, key, { metadata: { resourceVersion }, spec: { a: 1 } }),
      ConflictError,
    )
    const same = await at.client.patch(applications, key, { spec: { list: [3] } })
    assert.equal(same.metadata.resourceVersion, patched.metadata.resourceVersion)
  })

  test('finalizers hold a deleted object until they are removed', async () => {
    const namespace = await at.createNamespace()
    const key = { namespace, name: 'web' }
    const finalizers = ['wadi.dev/test']
    const created = await at.client.create(applications, application(namespace, 'web', { finalizers }))
    const deletion = await at.client.delete(applications, key)
    assert.ok(!deletion.isGone)
    const held = await at.client.get(applications, key)
    assert.deepEqual(held, deletion.object)
    assert.ok(held.metadata.deletionTimestamp !== undefined)
    assert.equal(held.metadata.generation, 2)
    assert.equal((await at.client.delete(applications, key)).isGone, false)
    const released = await at.client.update(applications, {
      ...held,
      metadata: { ...held.metadata, finalizers: [] },
    })
    assert.equal(released.metadata.uid, created.metadata.uid)
    await assert.rejects(at.client.get(applications, key), NotFoundError)
  })

  test('a deletion keeps to its preconditions', async () => {
    const namespace = await at.createNamespace()
    const key = { namespace, name: 'web' }
    const { metadata } = await at.client.create(applications, application(namespace, 'web'))
    await assert.rejects(at.client.delete(applications, key, { resourceVersion: '1' }), {
      name: 'ConflictError',
      message:
        /^Operation cannot be fulfilled on Application\.argoproj\.io "web": the ResourceVersion in the precondition \(1\) does not match the ResourceVersion in record \(\d+\)\. /,
    })
    const otherUid = 'd1b2c3d4-0000-4000-8000-000000000000'
    await assert.rejects(
      at.client.delete(applications, key, { uid: otherUid }),
      /the UID in the precondition \(d1b2\S+\) does not match the UID in record \(\S+\)\. The object might have been deleted and then recreated$/,
    )
    const { uid = '', resourceVersion = '' } = metadata
    assert.deepEqual(await at.client.delete(applications, key, { uid, resourceVersion }), {
      isGone: true,
      uid,
    })
    await assert.rejects(at.client.delete(applications, key), NotFoundError)
  })
}
