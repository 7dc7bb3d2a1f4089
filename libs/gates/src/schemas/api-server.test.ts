import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { type DryRun, dryRun } from '@wadi/testing/kubernetes-plane/dry-run.ts'
import { lendKubernetesPlane } from '@wadi/testing/kubernetes-plane/lent-plane.ts'
import type { PlaneAccess } from '@wadi/testing/kubernetes-plane/plane-access.ts'
import { planeMissing } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { until } from '@wadi/testing/until.ts'
import type { Violation } from '../gate.ts'
import { schemasGate } from './schemas-gate.ts'
import { type Comparison, compareVerdicts } from './verdicts-fixture.ts'
import { type Mutation, mutationsOf } from './mutations-fixture.ts'

const skip = planeMissing() ?? false
/** That of the API server. */
const cluster = { minorVersion: 36 }

const widgets = await read('widgets.yaml')
const objects = [...(await read('objects.yaml')), ...widgets.slice(1)]

test('the API server accepts objects that have no finding', { skip }, async () => {
  await using lent = await lendKubernetesPlane()
  await createWidgets(lent.plane)
  for (const object of objects) {
    assert.deepEqual(await findings(object), [], JSON.stringify(object))
    assert.deepEqual(await verdict(lent.plane, object), { status: 201, message: '', causes: [] })
  }
})

test('the API server rejects by schemas what has a finding, and nothing else', { skip }, async () => {
  await using lent = await lendKubernetesPlane()
  await createWidgets(lent.plane)
  const counts: Partial<Record<Comparison, number>> = {}
  for (const { kind, field, object } of sample(objects.flatMap(mutationsOf))) {
    const server = await verdict(lent.plane, object)
    const found = await findings(object)
    const comparison = compareVerdicts(found, server)
    counts[comparison] = (counts[comparison] ?? 0) + 1
    // The definition of widgets has no rules but those of its schema.
    const isSchemaOnly = object['kind'] === 'Widget'
    const agree = ['accepted', 'rejected', ...(isSchemaOnly ? [] : ['semantic'])].includes(comparison)
    const seen = JSON.stringify({ found: found.map(({ message }) => message), server })
    assert.ok(agree, `${kind} ${field}: ${comparison}: ${seen}`)
  }
  assert.ok((counts.rejected ?? 0) > 150 && (counts.accepted ?? 0) > 50, JSON.stringify(counts))
})

/** Every fifth of all, which is some of each kind. */
function sample(mutations: readonly Mutation[]): Mutation[] {
  return mutations.filter((_, index) => index % 5 === 0)
}

async function findings(object: Manifest): Promise<readonly Violation[]> {
  const [found = []] = await schemasGate.check([object], { cluster, definitions: widgets.slice(0, 1) })
  return found
}

async function verdict(plane: PlaneAccess, object: Manifest): Promise<DryRun> {
  const { apiVersion, kind } = object
  assert.ok(typeof apiVersion === 'string' && typeof kind === 'string')
  return dryRun(plane, { ...object, apiVersion, kind })
}

async function createWidgets(plane: PlaneAccess): Promise<void> {
  const [definition = {}] = widgets
  await plane.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  const collection = '/apis/schemas.example.com/v1/namespaces/default/widgets'
  await until(async () => (await plane.ask('GET', collection)).status === 200)
}

async function read(file: string): Promise<Manifest[]> {
  return parseManifests(await readFile(`${import.meta.dirname}/testdata/${file}`, 'utf8'), { file })
}
