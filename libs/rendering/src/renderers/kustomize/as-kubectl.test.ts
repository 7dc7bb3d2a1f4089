import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'

const tools = await testTools()

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1"}, {name: side, image: "busybox:1"}]}
`

test('a directory with a name like an address is built as kubectl does, also where GitHub is its first part', async () => {
  for (const name of ['app.git', 'a:b', 'github.com/app', 'gitlab.com/app']) {
    await using fixture = new RenderFixture(tools, {
      'kustomization.yaml': `resources: ["${name}"]\n`,
      [`${name}/kustomization.yaml`]: 'resources: [cm.yaml]\n',
      [`${name}/cm.yaml`]: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: k}\n',
    })
    const { manifests } = await fixture.render(testSource(''))
    assert.deepEqual(
      [...manifests],
      await fixture.bare('kustomize', ...(tools.kustomize.standalone ? ['build'] : []), '.'),
    )
  }
  await using fixture = new RenderFixture(tools, {
    'kustomization.yaml': 'resources: [github.com/org/repo]\n',
    'github.com/org/repo/kustomization.yaml': 'namePrefix: a-\n',
  })
  await assert.rejects(fixture.inspect(testSource('')), /is fetched from elsewhere/)
})

test('a count that is octal to Kustomize stays what it is beside one that a source sets', async () => {
  const other = deployment.replaceAll('web', 'other')
  await using fixture = new RenderFixture(tools, {
    'kustomization.yaml': 'resources: [web.yaml, other.yaml]\nreplicas: [{name: other, count: 010}]\n',
    'web.yaml': deployment,
    'other.yaml': other,
  })
  const kustomize = { replicas: [{ name: 'web', count: 3 }] }
  const { manifests } = await fixture.render(testSource('', { kustomize }))
  const counts = manifests
    .map((text) => JSON.parse(text))
    .map(({ metadata, spec }) => [metadata.name, spec.replicas])
  assert.deepEqual(Object.fromEntries(counts), { other: 8, web: 3 })
})
