import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { applicationObject, configMap } from '../application-fixture.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

test('fields that this version does not know outlive a hydration', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('fields', { 'fields/a.yaml': configMap('a', '1') })
  const plain = applicationObject({ name: 'fields', repoURL: repository.url, branch: 'environments/fields' })
  const spec = { ...(plain['spec'] as JsonObject), someday: { deep: [1, 'two'] } }
  await fixture.gateway.resources.applyResource({ resource: { ...plain, spec } })
  await fixture.waitFor('fields', isHydratedAt(await repository.dry.head()))
  const { application } = await fixture.gateway.applications.getApplication({ name: 'fields' })
  const stored = application?.['spec'] as JsonObject
  assert.deepEqual(stored['someday'], { deep: [1, 'two'] })
})
