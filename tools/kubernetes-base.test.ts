import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { type ChartOptions, deployDirectory, renderChart } from './chart.ts'
import { buildKustomization } from './kustomization.ts'
import { madeFiles } from './kubernetes-base.ts'
import { identityOf, type KubernetesObject, readObjects } from './kubernetes-objects-fixture.ts'

test('what is made from the chart and deploy/crds is what they give', async () => {
  const made = await madeFiles()
  const advice = "run 'node tools/write-kubernetes-base.ts'"
  for (const [file, text] of made) {
    assert.equal(
      await readFile(path.join(deployDirectory, file), 'utf8').catch(() => ''),
      text,
      `${file}: ${advice}`,
    )
  }
  const base = await readdir(path.join(deployDirectory, 'kubernetes/base'), {
    recursive: true,
    withFileTypes: true,
  })
  const files = base
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(deployDirectory, path.join(entry.parentPath, entry.name)))
  const expected = [...made.keys()].filter((file) => file.startsWith('kubernetes/base'))
  assert.deepEqual(files.toSorted(), expected.toSorted(), advice)
})

/** An overlay and the options of the chart that install the same; the namespace is what Helm makes itself. */
const overlays: Readonly<Record<string, ChartOptions>> = {
  small: { valueFiles: ['values-small.yaml'], includeCrds: true },
  'highly-available': { valueFiles: ['values-highly-available.yaml'], includeCrds: true },
  'beside-argocd': { namespace: 'argocd', set: ['credentials.namespace=argocd'] },
}

/** Kustomize puts the variables that it changes before the others. */
function withSortedVariables(object: KubernetesObject): KubernetesObject {
  return JSON.parse(JSON.stringify(object), (key: string, value: unknown) =>
    key === 'env' && Array.isArray(value) ? value.toSorted(byName) : value,
  )
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

for (const [overlay, options] of Object.entries(overlays)) {
  test(`the overlay ${overlay} and the chart install equal objects`, async () => {
    const { namespace = 'wadi' } = options
    const read = (yaml: string) => readObjects(yaml, namespace).map(withSortedVariables)
    const built = read(await buildKustomization(`kubernetes/overlays/${overlay}`))
    const rendered = read(await renderChart(options))
    const own = `Namespace ${namespace}`
    assert.deepEqual(
      built.filter((object) => identityOf(object) !== own),
      rendered,
    )
    assert.equal(
      built.some((object) => identityOf(object) === own),
      namespace === 'wadi',
    )
  })
}

test('every directory of overlays is tested', async () => {
  const directories = await readdir(path.join(deployDirectory, 'kubernetes/overlays'))
  assert.deepEqual(directories.toSorted(), Object.keys(overlays).toSorted())
})
