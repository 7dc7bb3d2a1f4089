import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import { schemasGate } from './schemas-gate.ts'

async function found(object: Manifest, minorVersion = 36, ...definitions: Manifest[]): Promise<string[]> {
  const [violations = []] = await schemasGate.check([object], { cluster: { minorVersion }, definitions })
  return violations.map(({ rule, field, message }) => `${rule} ${field} ${message}`)
}

function deployment(container: Manifest, pod: Manifest = {}): Manifest {
  const spec = { containers: [{ name: 'web', image: 'nginx', ...container }], ...pod }
  const selector = { matchLabels: { app: 'web' } }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 2, selector, template: { metadata: { labels: { app: 'web' } }, spec } },
  }
}

function configMap(fields: Manifest): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, ...fields }
}

/** The definition of the kind Widget. */
function widgets(spec: JsonValue, more: Manifest = {}): Manifest {
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', names: { kind: 'Widget' }, versions: [version], ...more },
  }
}

function widget(spec: JsonValue, apiVersion = 'example.com/v1'): Manifest {
  return { apiVersion, kind: 'Widget', metadata: { name: 'web' }, spec }
}

/** The findings of a value of one field. */
async function ofField(schema: Manifest, value: JsonValue, minorVersion = 36): Promise<string[]> {
  const definition = widgets({ type: 'object', properties: { a: schema } })
  return found(widget({ a: value }), minorVersion, definition)
}

test('unknown fields are found at every level, with the field that is meant', async () => {
  assert.deepEqual(await found(deployment({ imagePullpolicy: 'Always' }, { hostNetwrk: true })), [
    'unknown-field spec.template.spec.containers[0].imagePullpolicy is an unknown field in Kubernetes 1.36; did you mean imagePullPolicy?',
    'unknown-field spec.template.spec.hostNetwrk is an unknown field in Kubernetes 1.36; did you mean hostNetwork?',
  ])
  assert.deepEqual(await found(configMap({ values: {} })), [
    'unknown-field values is an unknown field in Kubernetes 1.36; expected one of apiVersion, binaryData, data, immutable, kind, metadata',
  ])
  assert.deepEqual(await found(configMap({ metadata: { name: 'web', label: {} } })), [
    'unknown-field metadata.label is an unknown field in Kubernetes 1.36; did you mean labels?',
  ])
})

test('a field is unknown to the versions of Kubernetes that do not have it', async () => {
  const object = deployment({}, { hostnameOverride: 'web' })
  assert.deepEqual(await found(object, 33), [
    'unknown-field spec.template.spec.hostnameOverride is not in Kubernetes 1.33; newer versions have it',
  ])
  assert.deepEqual(await found(object, 34), [])
  // Of versions that are not known, the nearest applies.
  assert.deepEqual(await found(object, 50), [])
  assert.equal((await found(object, 20)).length, 1)
})

test('values of another type are found, and no message has the value', async () => {
  const container = {
    ports: [{ containerPort: '80s3cret' }],
    env: [{ name: 'A', value: 5 }],
    resources: { limits: { cpu: '1 core', memory: 1.5 } },
    livenessProbe: { httpGet: { port: true } },
  }
  assert.deepEqual(await found(deployment(container)), [
    'wrong-type spec.template.spec.containers[0].ports[0].containerPort must be an integer of 32 bits',
    'wrong-type spec.template.spec.containers[0].env[0].value must be a string',
    'wrong-type spec.template.spec.containers[0].resources.limits.cpu must be a quantity such as 500m or 1Gi',
    'wrong-type spec.template.spec.containers[0].livenessProbe.httpGet.port must be an integer of 32 bits or a string',
  ])
  assert.deepEqual(await found(configMap({ data: { a: 1, b: null }, binaryData: { c: 'no base64' } })), [
    'wrong-type data.a must be a string',
    'wrong-type binaryData.c must be a string in base64',
  ])
  const times = configMap({
    metadata: { name: 'web', creationTimestamp: '2026-02-30T00:00:00Z', labels: [] },
  })
  assert.deepEqual(await found(times), [
    'wrong-type metadata.creationTimestamp must be a time such as 2026-01-31T12:00:00Z',
    'wrong-type metadata.labels must be an object, not a list',
  ])
})

test('null is the same as a missing field, and missing fields are found where the server requires them', async () => {
  assert.deepEqual(await found(deployment({ args: null, resources: null, ports: [] })), [])
  const required = 'required spec.template.spec.containers[0].name is required'
  for (const name of [null, '']) assert.deepEqual(await found(deployment({ name })), [required])
  assert.deepEqual(await found(deployment({}, { containers: [null] })), [required])
  assert.deepEqual(await found(deployment({}, { containers: [] })), [
    'required spec.template.spec.containers is required',
  ])
})

test('values are those of the enumeration, or empty where that means not set', async () => {
  assert.deepEqual(await found(deployment({ imagePullPolicy: '' })), [])
  assert.deepEqual(await found(deployment({ imagePullPolicy: 'Sometimes' })), [
    'enum spec.template.spec.containers[0].imagePullPolicy must be one of Always, IfNotPresent, Never',
  ])
})

test('kinds of groups of Kubernetes must exist, those of other groups need not', async () => {
  const object = (apiVersion: string, kind: string): Manifest => ({
    apiVersion,
    kind,
    metadata: { name: 'web' },
  })
  assert.deepEqual(await found(object('apps/v1', 'Deploymnet')), [
    'unknown-kind apiVersion is not an API version of Kubernetes 1.36 with the kind Deploymnet; did you mean Deployment?',
  ])
  assert.deepEqual(await found(object('batch/v2', 'CronJob')), [
    'unknown-kind apiVersion is not an API version of Kubernetes 1.36 with the kind CronJob; use batch/v1',
  ])
  const claim = object('resource.k8s.io/v1', 'ResourceClaimTemplate')
  const [notYet] = await found({ ...claim, spec: { spec: {} } }, 33)
  assert.equal(notYet, 'unknown-kind apiVersion is not in Kubernetes 1.33; newer versions have it')
  // The gate api-versions finds these.
  assert.deepEqual(await found(object('batch/v1beta1', 'CronJob')), [])
  assert.deepEqual(await found(object('extensions/v1beta1', 'Ingress')), [])
  assert.deepEqual(await found(object('example.com/v1', 'Deployment')), [])
  assert.deepEqual(await found(object('gateway.networking.k8s.io/v1', 'Gateway')), [])
})

test('a definition among the objects or beside them decides custom resources', async () => {
  const definition = widgets({
    type: 'object',
    required: ['size'],
    properties: { size: { type: 'integer' } },
  })
  const object = widget({ sise: 1 })
  const expected = [
    'unknown-field spec.sise is an unknown field in its CustomResourceDefinition; did you mean size?',
    'required spec.size is required',
  ]
  assert.deepEqual(await found(object), [])
  assert.deepEqual(await found(object, 36, definition), expected)
  const [, violations = []] = await schemasGate.check([definition, object], { cluster: { minorVersion: 36 } })
  assert.equal(violations.length, 2)
  assert.deepEqual(await found(widget({}, 'example.com/v2'), 36, definition), [
    'unknown-kind apiVersion is not a version of its CustomResourceDefinition; expected one of v1',
  ])
  const labels = { ...widget({ size: 1 }), metadata: { name: 'web', labels: { a: 1 } } }
  assert.deepEqual(await found(labels, 36, definition), ['wrong-type metadata.labels.a must be a string'])
})

test('rules of definitions are those of the API server', async () => {
  const cases: [schema: Manifest, valid: JsonValue[], invalid: JsonValue[]][] = [
    [{ type: 'integer', minimum: 1, maximum: 3, exclusiveMaximum: true }, [1, 2.0], [0, 3, 1.5, '1']],
    [{ type: 'number', multipleOf: 0.5 }, [1, 1.5], [0.3]],
    [{ type: 'string', pattern: '^a+$', maxLength: 3 }, ['a', 'aaa'], ['b', 'aaaa', 5]],
    [{ type: 'string', minLength: 2 }, ['éa', '🙂🙂'], ['🙂']],
    [{ type: 'string', nullable: true }, ['a', null], [1]],
    [{ type: 'string', enum: ['a', 'b'] }, ['a', null], ['c', '']],
    [{ type: 'array', items: { type: 'string' }, minItems: 1 }, [['a']], [[], [null], [1]]],
    [{ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }, [['a']], [['a', 'a']]],
    [{ 'x-kubernetes-int-or-string': true }, [1, '1'], [1.5, true]],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, [{ a: 1 }], [{ a: 'b' }]],
    [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, [{ a: { b: 1 } }], ['a']],
    [{ type: 'object', properties: { b: { type: 'string' } } }, [{}, { b: null }], [{ c: 1 }]],
    [
      { type: 'object', required: ['b'], properties: { b: { type: 'string', default: 'c' } } },
      [{}, { b: null }],
      [{ b: 1 }],
    ],
    [
      {
        type: 'object',
        properties: { b: { type: 'string' } },
        oneOf: [{ required: ['b'] }, { maxProperties: 0 }],
      },
      [{ b: 'c' }, {}],
      [],
    ],
    [{ type: 'string', anyOf: [{ maxLength: 1 }, { pattern: '^b' }] }, ['a', 'bbb'], ['aa']],
    [{ type: 'string', not: { enum: ['a'] } }, ['b'], ['a']],
    [{ type: 'string', format: 'ipv4' }, ['10.0.0.1', '010.0.0.1'], ['::1', '10.0.0']],
    [{ type: 'string', format: 'cidr' }, ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33']],
    [
      { type: 'string', format: 'date-time' },
      ['2026-01-31T12:00:00Z'],
      ['2026-01-31', '2026-13-31T12:00:00Z'],
    ],
    [{ type: 'string', format: 'duration' }, ['1h30m', '22 ns', '3 days'], ['1x', '']],
    [{ type: 'string', format: 'uuid' }, ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
    [{ type: 'string', format: 'mac' }, ['00:00:5e:00:53:01', '0000.5e00.5301'], ['00:00:5e:00:53']],
    [{ type: 'string', format: 'unheard-of' }, ['a'], []],
  ]
  for (const [schema, valid, invalid] of cases) {
    const shown = JSON.stringify(schema)
    for (const value of valid)
      assert.deepEqual(await ofField(schema, value), [], `${shown} ${JSON.stringify(value)}`)
    for (const value of invalid) {
      assert.equal((await ofField(schema, value)).length, 1, `${shown} ${JSON.stringify(value)}`)
    }
  }
})

test('formats that newer versions of Kubernetes enforce are not checked for older ones', async () => {
  assert.deepEqual(await ofField({ type: 'string', format: 'k8s-short-name' }, 'A', 33), [])
  assert.equal((await ofField({ type: 'string', format: 'k8s-short-name' }, 'A', 34)).length, 1)
})

test('objects within objects need an API version, a kind and valid metadata', async () => {
  const schema = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  }
  assert.deepEqual(
    await ofField(schema, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: {} }),
    [],
  )
  assert.deepEqual(await ofField(schema, { kind: 'Pod', metadata: { lables: {} } }), [
    'required spec.a.apiVersion is required',
    'unknown-field spec.a.metadata.lables is an unknown field in Kubernetes 1.36; did you mean labels?',
  ])
})

test('names of JavaScript objects are fields as any other', async () => {
  const data = JSON.parse('{"__proto__": "a", "constructor": "b"}')
  assert.deepEqual(await found(configMap({ data })), [])
  const unknown = await found(configMap(JSON.parse('{"__proto__": 1, "toString": 1}')))
  assert.deepEqual(
    unknown.map((finding) => finding.split(' ', 2)),
    [
      ['unknown-field', '__proto__'],
      ['unknown-field', 'toString'],
    ],
  )
  assert.equal((await ofField({ type: 'object', properties: {} }, data)).length, 2)
})

test('hostile definitions and objects take bounded work and give a bounded list', async () => {
  const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`unknown${index}`, 1]))
  assert.equal((await found(configMap(fields))).length, 50)
  const anyOf = Array.from({ length: 20_000 }, () => ({ maxLength: 1 }))
  const alternatives = await ofField({ type: 'array', items: { anyOf } }, Array(5_000).fill('long'))
  assert.ok(
    alternatives.some((finding) => finding.startsWith('too-complex ')),
    alternatives.join('\n').slice(0, 1_000),
  )
  const pattern = { type: 'string', pattern: '(a|aa)+$'.repeat(100) }
  const long = await ofField(pattern, 'a'.repeat(1_000_000))
  assert.deepEqual(long, ['too-complex spec is checked only in part, as its schema is too complex for it'])
  assert.deepEqual(await ofField({ type: 'string', pattern: '(' }, 'a'), [])
  assert.deepEqual(await ofField({ type: 5, properties: [], items: 'a', required: {}, enum: 1 }, 'a'), [])
})

test('the value of a finding is looked for by its key', async () => {
  const [violations = []] = await schemasGate.check([configMap({ immutabel: true })], {
    cluster: { minorVersion: 36 },
  })
  assert.deepEqual(
    violations.map(({ written }) => written),
    [['immutabel:']],
  )
})

test('of an object that SOPS encrypted, only what is not encrypted is checked', async () => {
  const encrypted = 'ENC[AES256_GCM,data:p673w==,iv:YY=,tag:UQ==,type:int]'
  const sops = { mac: encrypted, lastmodified: '2026-01-01T00:00:00Z', version: '3.11.0' }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web' }, data: { a: encrypted } }
  assert.deepEqual(await found({ ...secret, sops }), [])
  assert.deepEqual(await found({ ...secret, sops, typ: 'Opaque', data: { a: encrypted, b: 1 } }), [
    'wrong-type data.b must be a string in base64',
    'unknown-field typ is an unknown field in Kubernetes 1.36; did you mean type?',
  ])
  const anyOf = [{ properties: { a: { minimum: 1 } } }]
  const definition = widgets({ type: 'object', properties: { a: { type: 'integer', enum: [1] } }, anyOf })
  assert.deepEqual(await found({ ...widget({ a: encrypted }), sops }, 36, definition), [])
  // Nobody decrypts these.
  assert.deepEqual(await found(secret), ['wrong-type data.a must be a string in base64'])
  for (const other of [{}, 'x', { mac: 1 }]) {
    assert.match((await found({ ...secret, sops: other })).join(), /unknown-field sops/)
  }
})
