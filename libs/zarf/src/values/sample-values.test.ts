import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { jsonText } from '@wadi/params/values/value-json.ts'
import { memoryFiles } from '../memory-files-fixture.ts'
import { packageText } from '../package-fixture.ts'
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

const chartPackage = {
  'p/zarf.yaml': packageText(
    '    charts:\n' +
      '      - name: x\n        version: 1.0.0\n        namespace: n\n        localPath: chart\n        values:\n' +
      '          - {sourcePath: .web, targetPath: ., excludePaths: [.web.image]}\n' +
      '          - {sourcePath: .labels, targetPath: .meta.labels}\n',
    'values: {files: [v.yaml]}\n',
  ),
  'p/v.yaml': 'web: {replicas: "3", own: true}\nlabels: {}\n',
  'p/chart/values.yaml': 'replicas: 1\nservice: {port: 80}\nimage: {tag: x}\nmeta: {labels: null}\n',
  'p/chart/values.schema.json': JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'annotations are not taken over',
    required: ['replicas'],
    additionalProperties: false,
    definitions: { port: { type: 'integer' } },
    properties: {
      replicas: { type: 'integer', minimum: 1, description: 'how many' },
      service: { properties: { port: { $ref: '#/definitions/port' } } },
      image: { type: 'object' },
      meta: {
        properties: { labels: { type: ['object', 'null'], additionalProperties: { type: 'string' } } },
      },
    },
  }),
}

test('the schema of a chart is laid over the values that are mapped to it, and its defaults have types as well', async () => {
  const meta = {
    type: 'object',
    properties: { labels: { type: ['object', 'null'], additionalProperties: { type: 'string' } } },
  }
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      web: {
        type: 'object',
        properties: {
          replicas: { type: 'integer', minimum: 1 },
          service: { type: 'object', properties: { port: { type: 'number' } } },
          meta,
          own: { type: 'boolean' },
        },
      },
      labels: { type: ['object', 'null'], properties: {}, additionalProperties: { type: 'string' } },
    },
  }
  const made: unknown = JSON.parse(schemaText(await valuesSchema(memoryFiles(chartPackage), 'p')))
  assert.deepEqual(made, schema)
  const written = {
    ...chartPackage,
    'p/zarf.yaml': chartPackage['p/zarf.yaml'].replace('[v.yaml]', '[v.yaml], schema: s.json'),
    'p/s.json': '{"properties": {"web": {"properties": {"replicas": {"minimum": 2}}}}}',
  }
  const completed: unknown = JSON.parse(schemaText(await valuesSchema(memoryFiles(written), 'p')))
  Object.assign(schema.properties.web.properties.replicas, { minimum: 2 })
  assert.deepEqual(completed, schema, 'what the package says itself stays, and the draft is named')
})

test('a schema of a chart that cannot be read is reported with its file', async () => {
  const broken = memoryFiles({ ...chartPackage, 'p/chart/values.schema.json': '{' })
  await assert.rejects(
    valuesSchema(broken, 'p'),
    /p\/chart\/values\.schema\.json: the schema is not valid JSON/,
  )
  const deep = memoryFiles({ ...chartPackage, 'p/chart/values.schema.json': '{"a":'.repeat(100_000) })
  await assert.rejects(valuesSchema(deep, 'p'), /the schema is nested more than 200 levels deep/)
})
