import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'
import type { HelmOptions } from './helm-option-schema.ts'

const tools = await testTools()

async function warningsOf(template: string, helm: HelmOptions = {}): Promise<string[]> {
  await using fixture = new RenderFixture(tools, {
    'app/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'app/templates/one.yaml': `apiVersion: v1\nkind: ConfigMap\n${template}\n`,
  })
  return (await fixture.render(testSource('app', { helm }))).record.warnings
}

test('a chart that shows the default name of its release has a warning with what to write', async () => {
  const warning = [
    'the chart\'s objects show Helm\'s default release name "release-name", and every Application of the chart has the same; set one in app/.argocd-source.yaml: {helm: {releaseName: NAME}}',
  ]
  assert.deepEqual(await warningsOf('metadata: {name: "{{ .Release.Name }}-web"}'), warning)
  assert.deepEqual(await warningsOf('metadata: {name: "web-{{ .Release.Name }}"}'), warning)
  assert.deepEqual(
    await warningsOf('metadata: {name: a, labels: {instance: "{{ .Release.Name }}"}}'),
    warning,
  )
})

test('a chart that does not show it, or has a name, has none', async () => {
  assert.deepEqual(await warningsOf('metadata: {name: web}'), [])
  assert.deepEqual(await warningsOf('metadata: {name: a, annotations: {meta.helm.sh/release-name: "x"}}'), [])
  assert.deepEqual(
    await warningsOf('metadata: {name: "{{ .Release.Name }}-web"}', { releaseName: 'web' }),
    [],
  )
})
