import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'

const tools = await testTools()

const files = {
  'prod/kustomization.yaml': 'resources: [config.yaml]\n',
  'prod/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n',
  'prod/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: web, image: "nginx:1"}, {name: side, image: "busybox:1"}]}}}
`,
}

test('a label or annotation in double quotes is set without them, as kustomize edit does', async () => {
  await using fixture = new RenderFixture(tools, files)
  const commonAnnotations = { whole: '"a"', part: 'a "b"', empty: '""' }
  const rendered = await fixture.render(testSource('prod', { kustomize: { commonAnnotations } }))
  assert.match(rendered.manifests.join(), /"annotations":\{"empty":"","part":"a \\"b\\"","whole":"a"\}/)
})

test('an option changes its own field and not the one that an alias shares with it', async () => {
  await using fixture = new RenderFixture(tools, files)
  fixture.write(
    'prod/kustomization.yaml',
    'resources: [config.yaml]\ncommonLabels: &pairs {a: b}\ncommonAnnotations: *pairs\n',
  )
  const kustomize = { commonLabels: { c: 'd' } }
  assert.deepEqual((await fixture.render(testSource('prod', { kustomize }))).manifests, [
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{"a":"b"},"labels":{"a":"b","c":"d"},"name":"settings"}}',
  ])
})

test('an option overrides the older imageTags, and other images keep their suffix', async () => {
  await using fixture = new RenderFixture(tools, files)
  const write = (tags: string) =>
    fixture.write(
      'prod/kustomization.yaml',
      `resources: [deployment.yaml]\n${tags}- {name: busybox, tagSuffix: -musl}\n`,
    )
  write('imageTags:\n- {name: nginx, newTag: "9"}\n')
  const rendered = await fixture.render(testSource('prod', { kustomize: { images: ['nginx:2'] } }))
  write('images:\n- {name: nginx, newTag: "2"}\n')
  assert.deepEqual(rendered.manifests, await fixture.bare('kustomize', 'prod'))
})
