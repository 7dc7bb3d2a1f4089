import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from './application-fixture.ts'
import { asManifestFile, renderBare } from './bare-tool-fixture.ts'
import { startMeshFixture } from './mesh-fixture.ts'

const files = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'replicas: 2\nlabels: {}\n',
  'web/values-prod.yaml': 'replicas: 5\n',
  'web/templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-web
  namespace: {{ .Release.Namespace }}
spec:
  replicas: {{ .Values.replicas }}
`,
  'web/templates/config.yaml': configMap('settings', 'multi\nline: "yes"\n'),
  'base/kustomization.yaml': 'resources:\n- config.yaml\n',
  'base/config.yaml': configMap('base', '010'),
  'overlay/kustomization.yaml': 'resources:\n- ../base\nnamePrefix: prod-\nnamespace: shop\n',
  'plain/b.yaml': configMap('b', '1e3'),
  'plain/a.yaml': configMap('a', 'on'),
}

test('manifest.yaml of a chart, an overlay and a directory has the bytes of the bare output, sorted and emitted', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const repository = await fixture.createRepository('kinds', files)
  const common = { repoURL: repository.url, branch: 'environments/kinds' }
  const helm = { releaseName: 'shop', valueFiles: ['values-prod.yaml'] }
  await fixture.applyAndWait(
    await repository.dry.head(),
    { ...common, name: 'web', namespace: 'shop', source: { helm } },
    { ...common, name: 'overlay' },
    { ...common, name: 'plain' },
  )
  const { directory } = repository.dry
  const chart = ['template', 'shop', 'web', '--namespace', 'shop', '--values', 'web/values-prod.yaml']
  const expected = {
    web: (await renderBare('helm', chart, directory)).text,
    overlay: (await renderBare('kustomize', ['overlay'], directory)).text,
    plain: asManifestFile(`${files['plain/b.yaml']}---\n${files['plain/a.yaml']}`, 'plain').text,
  }
  for (const [name, text] of Object.entries(expected)) {
    assert.equal(await repository.read(common.branch, `${name}/manifest.yaml`), text)
  }
  assert.match(expected.web, /replicas: 5/)
})
