import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'

const tools = await testTools()

test('a manifest with {{ that is not YAML is refused with what makes it a template', async () => {
  const zarf =
    'kind: ZarfPackageConfig\nmetadata: {name: p}\ncomponents:\n  - name: c\n    required: true\n    manifests: [{name: m, files: [m.yaml]}]\n'
  const text =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  {{ range .Values.a }}a{{ end }}\n'
  await using fixture = new RenderFixture(tools, { 'p/zarf.yaml': zarf, 'p/m.yaml': text })
  const remedy = 'set template: true on manifest "m" if it is a template'
  const { warnings } = await fixture.inspect(testSource('p'))
  assert.deepEqual(warnings, [`p/m.yaml:5: {{ in a string that is not rendered: ${remedy}`])
  await assert.rejects(fixture.render(testSource('p')), (error: unknown) => {
    assert.ok(error instanceof InvalidInputError)
    assert.match(error.message, /^p\/m\.yaml:5: /)
    assert.ok(error.message.endsWith(`; ${remedy}`), error.message)
    return true
  })
  fixture.write('p/m.yaml', text.replace(/ {2}\{.*/, '  a: "{{ b }}"'))
  const quoted = await fixture.render(testSource('p'))
  assert.match(quoted.manifests.join(''), /"a":"\{\{ b \}\}"/)
  assert.deepEqual([...(await fixture.inspect(testSource('p'))).warnings, ...quoted.record.warnings], [])
})
