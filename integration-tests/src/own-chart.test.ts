import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { renderBare } from './bare-tool-fixture.ts'
import { startMeshFixture } from './mesh-fixture.ts'

const root = path.join(import.meta.dirname, '../..')

test('Wadi hydrates its own chart and its own overlays to what Helm and Kustomize give', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const repository = await fixture.createRepository(
    'wadi',
    await filesBelow('deploy/crds', 'deploy/helm', 'deploy/kubernetes'),
  )
  const chart = 'deploy/helm/wadi'
  const overlay = 'deploy/kubernetes/overlays/highly-available'
  const valueFiles = ['values-highly-available.yaml']
  const parameters = [{ name: 'secrets.existing', value: 'wadi-secrets' }]
  const common = { repoURL: repository.url, branch: 'environments/wadi', namespace: 'wadi' }
  await fixture.applyAndWait(
    await repository.dry.head(),
    {
      ...common,
      name: 'chart',
      path: chart,
      source: { helm: { releaseName: 'wadi', valueFiles, parameters } },
    },
    { ...common, name: 'overlay', path: overlay },
  )
  const { directory } = repository.dry
  const values = [
    '--values',
    `${chart}/values-highly-available.yaml`,
    '--set',
    'secrets.existing=wadi-secrets',
  ]
  const args = ['template', 'wadi', chart, '--namespace', 'wadi', '--include-crds', ...values]
  const expected = {
    chart: (await renderBare('helm', args, directory)).text,
    overlay: (await renderBare('kustomize', [overlay], directory)).text,
  }
  for (const [name, text] of Object.entries(expected)) {
    assert.equal(await repository.read(common.branch, `${name}/manifest.yaml`), text)
  }
  assert.match(expected.chart, /name: wadi-hydrator/)
})

/** The text of each file in some directories of this repository, by its path. */
async function filesBelow(...directories: readonly string[]): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const directory of directories) {
    const entries = await readdir(path.join(root, directory), { recursive: true, withFileTypes: true })
    for (const entry of entries.filter((found) => found.isFile())) {
      const file = path.join(entry.parentPath, entry.name)
      files[path.relative(root, file)] = await readFile(file, 'utf8')
    }
  }
  return files
}
