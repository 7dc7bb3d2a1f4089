import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'

const tools = await testTools()

test('Chart.yaml is read as Helm reads it: numbers and booleans are text, and case does not count in fields', async () => {
  const template =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Chart.Name }}"}\ndata: {a: "{{ .Values.a }}"}\n'
  await using fixture = new RenderFixture(tools, {
    'c/Chart.yaml':
      'apiversion: v2\nNAME: 7\nversion: 1.0\nappVersion: 1.10\nDependencies:\n- {Name: on, version: 2, Alias: 5}\n- {name: far, version: 3, repository: null, alias: null}\n',
    'c/values.yaml': 'a: own\n"5": {a: of the parent}\n',
    'c/templates/a.yaml': template,
    'c/charts/first/Chart.yaml': 'apiVersion: v2\nname: yes\nversion: 2\n',
    'c/charts/first/templates/a.yaml': template,
    'c/charts/far/Chart.yaml': 'apiVersion: v2\nName: far\nVersion: 3.0.0\n',
  })
  const { manifests } = await fixture.render(testSource('c'))
  const data = manifests.map(
    (text) => JSON.parse(text) as { metadata: { name: string }; data: { a: string } },
  )
  assert.deepEqual(
    data.map((object) => [object.metadata.name, object.data.a]),
    [
      ['5', 'of the parent'],
      ['7', 'own'],
    ],
  )
})
