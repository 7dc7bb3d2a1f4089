import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { application, applications, hydratedBranch, hydratedBranches, secrets } from '../object-fixture.ts'
import { clusterSuites } from '../cluster-suites-fixture.ts'

clusterSuites(
  (clusterName) => `requests to the ${clusterName}`,
  (at) => {
    test('an object is created, read, replaced and deleted', async () => {
      const namespace = await at.cluster.createNamespace()
      const key = { namespace, name: 'web' }
      const created = await at.client.create(applications, application(namespace, 'web'))
      assert.equal(created.metadata.generation, 1)
      assert.match(created.metadata.creationTimestamp ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      assert.deepEqual(await at.client.get(applications, key), created)

      const changed = await at.client.update(applications, { ...created, spec: { project: 'other' } })
      assert.equal(changed.metadata.generation, 2)
      assert.equal(changed.metadata.uid, created.metadata.uid)
      assert.notEqual(changed.metadata.resourceVersion, created.metadata.resourceVersion)
      const same = await at.client.update(applications, changed)
      assert.equal(same.metadata.resourceVersion, changed.metadata.resourceVersion)

      assert.deepEqual(await at.client.delete(applications, key), { isGone: true, uid: created.metadata.uid })
      await assert.rejects(at.client.get(applications, key), NotFoundError)
    })

    test('errors of the API come as domain errors that name the object', async () => {
      const namespace = await at.cluster.createNamespace()
      const key = { namespace, name: 'web' }
      const created = await at.client.create(applications, application(namespace, 'web'))
      await at.client.patch(applications, key, { spec: { project: 'other' } })
      await assert.rejects(at.client.get(applications, { namespace, name: 'none' }), {
        name: 'NotFoundError',
        message: 'applications.argoproj.io "none" not found',
      })
      await assert.rejects(at.client.create(applications, application(namespace, 'web')), {
        name: 'AlreadyExistsError',
        message: 'applications.argoproj.io "web" already exists',
      })
      await assert.rejects(at.client.update(applications, created), {
        name: 'ConflictError',
        message:
          'Operation cannot be fulfilled on applications.argoproj.io "web": the object has been modified; please apply your changes to the latest version and try again',
      })
      const { resourceVersion: _, ...unversioned } = created.metadata
      await assert.rejects(at.client.update(applications, { ...created, metadata: unversioned }), {
        name: 'InvalidInputError',
        path: 'metadata.resourceVersion',
        message: /must be specified for an update/,
      })
      await assert.rejects(
        at.client.update(applications, application(namespace, 'none', { resourceVersion: '1' })),
        NotFoundError,
      )
      await assert.rejects(at.client.create(applications, application('no-such-namespace', 'web')), {
        name: 'NotFoundError',
        message: 'namespaces "no-such-namespace" not found',
      })
      await assert.rejects(at.client.create(applications, hydratedBranch(namespace, 'a')), InvalidInputError)
    })

    test('what a schema rejects is named with its fields', async () => {
      const namespace = await at.cluster.createNamespace()
      const branch = hydratedBranch(namespace, 'a')
      await assert.rejects(
        at.client.create(hydratedBranches, { ...branch, spec: { repoURL: '' } }),
        (error) => {
          assert.ok(error instanceof InvalidInputError)
          assert.match(error.message, /^HydratedBranch\.wadi\.dev "a" is invalid: /)
          assert.match(error.message, /spec\.branch: Required value/)
          assert.match(error.message, /spec\.repoURL in body should be at least 1 chars long/)
          return true
        },
      )
      await assert.rejects(at.client.create(hydratedBranches, { ...branch, spec: { repoURL: 'x' } }), {
        code: 'invalid',
        path: 'spec.branch',
      })
    })

    test('a kind that the cluster does not serve says what to install', async () => {
      const unknown = { group: 'wadi.dev', version: 'v1alpha1', kind: 'Nothing', plural: 'nothings' }
      const elsewhere = { ...unknown, group: 'nowhere.example.com' }
      for (const resource of [unknown, elsewhere]) {
        await assert.rejects(at.client.list(resource), {
          name: 'NotFoundError',
          code: 'unknown-kind',
          message: 'the cluster does not serve this kind; install its CustomResourceDefinition',
        })
      }
    })

    test('pages show the moment of the first page', async () => {
      const namespace = await at.cluster.createNamespace()
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        await at.client.create(applications, application(namespace, name))
      }
      const pages: string[][] = []
      const versions = new Set<string>()
      for await (const page of at.client.listPages(applications, { namespace }, undefined, 2)) {
        pages.push(page.items.map(({ metadata }) => metadata.name))
        versions.add(page.resourceVersion)
        if (pages.length === 1) {
          await at.client.delete(applications, { namespace, name: 'd' })
          await at.client.create(applications, application(namespace, 'b-2'))
        }
      }
      assert.deepEqual(pages, [['a', 'b'], ['c', 'd'], ['e']])
      assert.equal(versions.size, 1)
    })

    test('lists of one namespace, by label and by field', async () => {
      const namespace = await at.cluster.createNamespace()
      const other = await at.cluster.createNamespace()
      await at.client.create(applications, application(namespace, 'a', { labels: { env: 'dev', team: 'x' } }))
      await at.client.create(applications, application(namespace, 'b', { labels: { env: 'prod' } }))
      await at.client.create(applications, application(other, 'c', { labels: { env: 'dev' } }))
      await at.client.create(hydratedBranches, hydratedBranch(namespace, 'a'))
      await at.client.create(hydratedBranches, hydratedBranch(namespace, 'b'))
      const names = async (resource: typeof applications, selection: object) =>
        (await at.client.list(resource, selection)).items.map(({ metadata }) => metadata.name)
      assert.deepEqual(await names(applications, { namespace }), ['a', 'b'])
      assert.deepEqual(await names(applications, { namespace, labelSelector: 'env in (dev,test),team' }), [
        'a',
      ])
      assert.deepEqual(await names(applications, { namespace, labelSelector: 'env!=dev' }), ['b'])
      assert.deepEqual(await names(applications, { namespace, fieldSelector: 'metadata.name=b' }), ['b'])
      const bySpec = { namespace, fieldSelector: 'spec.branch=environments/b' }
      assert.deepEqual(await names(hydratedBranches, bySpec), ['b'])
      await assert.rejects(names(applications, { namespace, fieldSelector: 'spec.project=x' }), {
        name: 'InvalidInputError',
        code: 'bad-request',
        message: /field label not supported: spec\.project/,
      })
      const everywhere = await names(applications, { labelSelector: 'env=dev' })
      assert.ok(everywhere.includes('a') && everywhere.includes('c'), everywhere.join(' '))
    })

    test('the text of a Secret is stored in base64, and Secrets are found by their type', async () => {
      const namespace = await at.cluster.createNamespace()
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'a' } }
      const created = await at.client.create(secrets, { ...secret, stringData: { url: 'https://a' } })
      assert.deepEqual(created.data, { url: Buffer.from('https://a').toString('base64') })
      assert.deepEqual([created.stringData, created['type']], [undefined, 'Opaque'])
      const typed = { ...secret, metadata: { namespace, name: 'b' }, type: 'example.com/b' }
      await at.client.create(secrets, typed)
      const found = await at.client.list(secrets, { namespace, fieldSelector: 'type=example.com/b' })
      assert.deepEqual(
        found.items.map(({ kind, apiVersion, metadata }) => [kind, apiVersion, metadata.name]),
        [['Secret', 'v1', 'b']],
      )
      const { resourceVersion: _, ...unversioned } = created.metadata
      const forced = await at.client.update(secrets, { ...created, metadata: unversioned, data: {} })
      assert.notEqual(forced.metadata.resourceVersion, created.metadata.resourceVersion)
      const broken = { ...secret, metadata: { namespace, name: 'c' }, data: { x: 'ä' } }
      await assert.rejects(at.client.create(secrets, broken), {
        name: 'InvalidInputError',
        code: 'bad-request',
      })
      const large = { x: Buffer.from('x'.repeat(1_100_000)).toString('base64') }
      await assert.rejects(at.client.create(secrets, { ...broken, data: large }), {
        code: 'invalid',
        path: 'data',
      })
    })
  },
)
