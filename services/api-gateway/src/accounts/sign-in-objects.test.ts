import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { openGatewayFixture } from '../gateway-fixture.ts'
import { followSignInObjects } from './sign-in-objects.ts'

test('a project that is deleted while the objects are read no longer applies', async () => {
  await using fixture = await openGatewayFixture()
  const { store } = fixture.context
  const metadata = { name: 'dev', namespace: controlPlaneNamespace }
  await store.create({ apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec: {} })
  const list: ResourceStore['list'] = async (kind, options) => {
    const found = await store.list(kind, options)
    if (kind === 'AppProject') await store.delete(kind, controlPlaneNamespace, 'dev')
    return found
  }
  const racing: ResourceStore = {
    ...store,
    list,
    watch: (kind, options) => store.watch(kind, options),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
  await using objects = await followSignInObjects(racing)
  const deadline = performance.now() + 10_000
  while (objects.project('dev') !== undefined) {
    assert.ok(performance.now() < deadline, 'the deleted project still counts')
    await new Promise(setImmediate)
  }
})
