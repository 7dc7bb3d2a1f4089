import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLocatedYaml } from '@wadi/params/located-yaml.ts'
import { jsonText } from '@wadi/params/value-json.ts'
import { memoryFiles } from './memory-files-fixture.ts'
import { packageText } from './package-fixture.ts'
import { sampleValues, schemaText, valuesSchema } from './sample-values.ts'

const content = {
  'p/zarf.yaml': packageText('    import: {path: ../base}\n', 'values: {files: [v.yaml], schema: s.json}\n'),
  'p/v.yaml': 'b: {x: "1e3", y: 1.0, z: null}\na: [1, 2]\nbig: 12345678901234567890\n',
  'p/zarf-config.yaml': 'package: {deploy: {set_values: {b.x: other}}}\n',
  'p/s.json': JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    properties: { b: { properties: { x: { enum: ['1e3'] } } } },
  }),
  'base/zarf.yaml':
    'kind: ZarfPackageConfig\nmetadata: {name: b}\nvalues: {files: [v.yaml]}\ncomponents: [{name: c}]\n',
  'base/v.yaml': 'b: {w: on, x: base}\n',
}

test('the sample has the merged defaults and reads back as the same values', async () => {
  const text = await sampleValues(memoryFiles(content), 'p')
  assert.equal(
    text,
    'a:\n- 1\n- 2\nb:\n  w: "on"\n  x: "1e3"\n  "y": 1.0\n  z: null\nbig: 12345678901234567890\n',
  )
  assert.equal(
    jsonText(readLocatedYaml(text, 'sample.yaml').value),
    '{"a":[1,2],"b":{"w":"on","x":"1e3","y":1.0,"z":null},"big":12345678901234567890}',
  )
})

test('the schema keeps what is written and adds the types of the defaults', async () => {
  const schema: unknown = JSON.parse(schemaText(await valuesSchema(memoryFiles(content), 'p')))
  assert.deepEqual(schema, {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      b: {
        type: 'object',
        properties: { x: { enum: ['1e3'] }, w: { type: 'string' }, y: { type: 'number' }, z: {} },
      },
      a: { type: 'array', items: { type: 'number' } },
      big: { type: 'number' },
    },
  })
})
