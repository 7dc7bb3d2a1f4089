import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'

const tools = await testTools()

test('a chart beside a kustomization is not rendered, as in Argo CD, unless the options say so', async () => {
  const both = {
    'app/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'app/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: of-chart}\n',
    'app/kustomization.yaml': 'resources: [b.yaml]\n',
    'app/b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: of-kustomization}\n',
  }
  for (const [options, name, warnings] of [
    [undefined, 'of-kustomization', 1],
    ['kustomize: {}\n', 'of-kustomization', 0],
    ['helm: {}\n', 'of-chart', 0],
  ] as const) {
    await using fixture = new RenderFixture(tools, {
      ...both,
      ...(options !== undefined && { 'app/.argocd-source.yaml': options }),
    })
    const { manifests } = await fixture.render(testSource('app'))
    const inspection = await fixture.inspect(testSource('app'))
    assert.match(manifests.join(), new RegExp(`"name":"${name}"`))
    const found = inspection.warnings.filter((warning) =>
      warning.startsWith('app/Chart.yaml is not rendered, as app/kustomization.yaml stands beside it; '),
    )
    assert.equal(found.length, warnings)
  }
})
