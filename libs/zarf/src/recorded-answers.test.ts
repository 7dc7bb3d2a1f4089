import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { jsonText } from '@wadi/params/values/value-json.ts'
import { filesOnDisk } from './memory-files-fixture.ts'
import { planPackage } from './plan/plan-package.ts'
import type { PackagePlan, PlannedItem } from './plan/plan-package.ts'

const recorded = join(import.meta.dirname, 'testdata/recorded')

function plan(directory: string): Promise<PackagePlan> {
  return planPackage(filesOnDisk(join(recorded, directory)), directory)
}

function itemOf<Kind extends PlannedItem['kind']>(
  { items }: PackagePlan,
  kind: Kind,
): Extract<PlannedItem, { kind: Kind }> {
  const found = items.find((item): item is Extract<PlannedItem, { kind: Kind }> => item.kind === kind)
  assert.ok(found !== undefined, `the plan has an item of kind ${kind}`)
  return found
}

for (const directory of ['tmpl-m2', 'tmpl-m3', 'tmpl-m5']) {
  test(`the manifests of ${directory} are those of Zarf to the byte`, async () => {
    const { files } = itemOf(await plan(directory), 'manifests')
    const written = files.map(
      ({ name, text }) => `#type: manifest\n#source: TMP/c/manifests/${name}\n${text}---\n`,
    )
    assert.equal(written.join(''), readFileSync(join(recorded, directory, 'expected.out'), 'utf8'))
  })
}

for (const directory of ['missing-source', 'tmpl-m4', 'tmpl-m6', 'tmpl-m7']) {
  test(`the error of ${directory} holds the message of Zarf to the byte, after the place`, async () => {
    const expected = readFileSync(join(recorded, directory, 'expected.err'), 'utf8')
      .slice('ERR '.length)
      .trimEnd()
    await assert.rejects(plan(directory), (error: Error) => {
      assert.ok(error.message.includes(expected), error.message)
      assert.match(error.message, new RegExp(`(^|\n)${directory}/(m|zarf).yaml:\\d+:\\d+: `))
      return true
    })
  })
}

test('a field chain with hyphens, which Zarf refuses, is rendered and noted', async () => {
  const planned = await plan('tmpl-m1')
  assert.deepEqual(
    itemOf(planned, 'manifests').files.map(({ text }) => text),
    ['x: 1Gi\n'],
  )
  assert.deepEqual(planned.warnings, [
    {
      severity: 'warning',
      message: 'Zarf itself refuses .Values.my-component.memory: write index .Values "my-component" "memory"',
      at: { file: 'tmpl-m1/m.yaml', line: 1, column: 7 },
    },
  ])
})

test('lists are replaced, maps merged, and null goes to the chart', async () => {
  const chart = itemOf(await plan('merge-lists-null'), 'chart')
  assert.equal(
    jsonText(chart.values),
    '{"list":[9],"m":{"x":11,"z":30},"keep":1,"nul":null,"toscalar":7,"tomap":{"q":1}}',
  )
  assert.deepEqual([chart.path, chart.namespace, chart.releaseName], ['merge-lists-null/chart', 'ns', 'c'])
})

test('a chart gets its values files, then templates, then variables, then mapped values', async () => {
  const chart = itemOf(await plan('precedence'), 'chart')
  assert.deepEqual(chart.valueFiles, [
    { path: 'precedence/vf.yaml', text: 'scalar: vf\ntv: vf\nvar: vf\nmap: vf\n' },
    { path: 'precedence/tvf.yaml', text: 'tv: "tpl"\nvar: tv\nmap: tv\n' },
  ])
  assert.equal(jsonText(chart.values), '{"var":"fromvar","map":"mapped"}')
})

test('markers in what Helm and kustomize made are replaced, and kustomizations are templates', async () => {
  const planned = await plan('hooks-crds-kustomize')
  const chart = itemOf(planned, 'chart')
  assert.equal(jsonText(chart.values), '{"v":3}')
  assert.equal(chart.finish('data: {x: "###ZARF_VAR_V###", y: "3"}\n'), 'data: {x: "dv", y: "3"}\n')
  const built = "data:\n  x: '{{ .Values.z }}'\n  \"y\": '###ZARF_VAR_V###'\n"
  const kustomization = itemOf(planned, 'kustomization')
  assert.equal(kustomization.path, 'hooks-crds-kustomize/kust')
  assert.equal(await kustomization.finish(built), "data:\n  x: '3'\n  \"y\": 'dv'\n")
  await assert.rejects(kustomization.finish('x: {{ .Values.gone }}\n'), {
    message:
      /hooks-crds-kustomize\/kust:1:7: component "c" manifest "m": references undefined value \.Values\.gone/,
  })
})
