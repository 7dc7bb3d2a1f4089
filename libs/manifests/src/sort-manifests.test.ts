import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from './manifest.ts'
import { sortManifests } from './sort-manifests.ts'

function manifest(namespace: string, name: string, apiVersion: string, kind: string): Manifest {
  return { apiVersion, kind, metadata: { name, ...(namespace === '' ? {} : { namespace }) } }
}

test('objects stand by namespace, name, group, kind, version and content', () => {
  const ordered = [
    { apiVersion: 'v1', kind: 'List' },
    manifest('', 'z', 'v1', 'Namespace'),
    manifest('a', 'B', 'v1', 'Service'),
    manifest('a', 'a', 'v1', 'ConfigMap'),
    manifest('a', 'a', 'v1', 'Service'),
    manifest('a', 'a', 'apps/v1', 'Deployment'),
    manifest('a', 'a', 'apps/v1beta1', 'Deployment'),
    { ...manifest('a', 'b', 'v1', 'Service'), spec: { port: 1 } },
    { ...manifest('a', 'b', 'v1', 'Service'), spec: { port: 2 } },
    manifest('b', 'a', 'v1', 'Service'),
  ]
  assert.deepEqual(sortManifests(ordered.toReversed()), ordered)
})

test('names are compared by code points, not by UTF-16 units', () => {
  const basic = manifest('', '\uff21', 'v1', 'ConfigMap')
  const beyond = manifest('', '\u{1d400}', 'v1', 'ConfigMap')
  assert.deepEqual(sortManifests([beyond, basic]), [basic, beyond])
})
