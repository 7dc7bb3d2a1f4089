import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'

test('missing components are left out, and all others are used, which Argo CD does not do, so a warning says it', async () => {
  const files = Object.fromEntries(
    ['extra', 'more'].flatMap((name) => [
      [
        `${name}/kustomization.yaml`,
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [config.yaml]\n',
      ],
      [`${name}/config.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`],
    ]),
  )
  const others = { 'prod/kustomization.yaml': 'namePrefix: ""\n', 'empty/notes.txt': 'no component\n' }
  await using fixture = new RenderFixture(await testTools(), { ...files, ...others })
  const components = ['../nope', '../empty', '../extra', '../more']
  const source = testSource('prod', { kustomize: { components, ignoreMissingComponents: true } })
  const inspection = await fixture.inspect(source)
  assert.deepEqual(
    inspection.warnings.filter((warning) => warning.startsWith('kustomize.')),
    [
      'kustomize.ignoreMissingComponents: Argo CD 3.6.1 builds with the first component that exists alone, ../extra; Wadi builds with ../more too',
    ],
  )
  const { manifests } = await fixture.render(source)
  for (const name of ['extra', 'more'])
    assert.ok(
      manifests.some((text) => text.includes(`"name":"${name}"`)),
      name,
    )
  const one = testSource('prod', {
    kustomize: { components: components.slice(0, 3), ignoreMissingComponents: true },
  })
  assert.ok((await fixture.inspect(one)).warnings.every((warning) => !warning.startsWith('kustomize.')))
})
