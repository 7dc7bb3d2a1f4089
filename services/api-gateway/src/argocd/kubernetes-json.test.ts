import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBinary, type JsonObject, toBinary } from '@bufbuild/protobuf'
import { ApplicationSetSchema } from '@wadi/protocol/gen/argocd/v1alpha1/application_set_pb.ts'
import { fromKubernetesJson, toKubernetesJson } from './kubernetes-json.ts'

/** Returns the object after a round trip over the wire. */
function overTheWire(object: JsonObject): JsonObject {
  const bytes = toBinary(ApplicationSetSchema, fromKubernetesJson(ApplicationSetSchema, object))
  return toKubernetesJson(ApplicationSetSchema, fromBinary(ApplicationSetSchema, bytes))
}

const kept: Record<string, JsonObject> = {
  'metadata with its times, owners and numbers': {
    metadata: {
      name: 'set',
      namespace: 'argocd',
      uid: '1',
      resourceVersion: '12',
      generation: 3,
      creationTimestamp: '2026-08-22T19:54:34Z',
      deletionGracePeriodSeconds: 0,
      labels: { team: 'shop', constructor: 'x' },
      annotations: { empty: '' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '2', controller: false }],
      finalizers: ['a', 'b'],
      managedFields: [{ manager: 'kubectl', time: '1960-01-01T00:00:00Z', fieldsV1: { 'f:spec': {} } }],
    },
  },
  'what a pointer says in Go, zeros and empty texts among it': {
    spec: {
      templatePatch: '',
      syncPolicy: { applicationsSync: 'sync', preserveResourcesOnDeletion: true },
      generators: [
        { git: { repoURL: 'u', directories: [{ path: '*', exclude: true }], requeueAfterSeconds: 0 } },
        {
          scmProvider: {
            gitlab: { group: 'g', includeSharedProjects: false },
            filters: [{ labelMatch: '' }],
          },
        },
      ],
      template: {
        spec: {
          revisionHistoryLimit: 0,
          syncPolicy: { automated: { enabled: false }, retry: { limit: -1, backoff: { factor: 2 } } },
        },
      },
    },
  },
  'an empty message whose presence means something': {
    spec: {
      generators: [{ clusters: {}, selector: {} }, { list: {} }, { pullRequest: { github: {} } }],
      syncPolicy: {},
      template: { spec: { source: {}, syncPolicy: { automated: {} } } },
    },
  },
  'values without a schema': {
    spec: {
      generators: [
        { list: { elements: [{ number: 1.5, nested: [{ yes: true }, null] }, 'text', null] } },
        { plugin: { configMapRef: { name: 'c' }, input: { parameters: { a: ['x', 1], b: 'y', c: {} } } } },
        {
          matrix: {
            generators: [
              { merge: { mergeKeys: ['a'], generators: [{ list: { elements: [{ a: 'b' }] } }] } },
              { matrix: { generators: [] } },
            ],
          },
        },
      ],
      template: { spec: { source: { helm: { valuesObject: { image: { tag: 'v1' } } } } } },
    },
  },
  'numbers that can be texts': {
    spec: {
      strategy: { rollingSync: { steps: [{ maxUpdate: '25%' }, { maxUpdate: 0 }, { maxUpdate: 3 }] } },
      template: { spec: { source: { kustomize: { replicas: [{ name: 'web', count: 2 }] } } } },
    },
  },
  "parameters of plugins and Kustomize's flat selectors": {
    spec: {
      template: {
        spec: {
          sources: [
            {
              plugin: {
                parameters: [
                  { name: 'text', string: '' },
                  { name: 'map', map: { a: 'b' } },
                  { name: 'none', map: {} },
                  { name: 'list', array: ['x', ''] },
                  { name: 'empty', array: [] },
                ],
              },
            },
            {
              kustomize: {
                patches: [
                  {
                    patch: 'p',
                    target: { group: 'apps', kind: 'Deployment', name: 'web', labelSelector: 'a=b' },
                    options: { allowNameChange: true, other: false },
                  },
                  { target: {} },
                ],
              },
            },
          ],
        },
      },
    },
  },
  'a status': {
    status: {
      conditions: [{ type: 'ErrorOccurred', status: 'False', lastTransitionTime: '2026-08-22T19:54:34Z' }],
      applicationStatus: [{ application: 'web', step: '1', targetRevisions: ['abc'] }],
      resources: [{ kind: 'Application', name: 'web', health: { status: 'Healthy' } }],
      resourcesCount: 1,
      health: { status: 'Healthy' },
    },
  },
}
for (const [what, object] of Object.entries(kept)) {
  test(`the wire keeps ${what}`, () => assert.deepEqual(overTheWire(object), object))
}

test('what Go writes for fields that nobody set is left out', () => {
  const object = fromKubernetesJson(ApplicationSetSchema, {
    metadata: { name: '', generation: 0, labels: {} },
    spec: {
      goTemplate: false,
      generators: [
        {
          clusters: { selector: {}, template: { metadata: {}, spec: { destination: {}, project: '' } } },
        },
      ],
      template: { metadata: { name: 'web' }, spec: { destination: { server: '' }, project: '' } },
    },
    status: { health: {}, resourcesCount: 0 },
  })
  assert.deepEqual(toKubernetesJson(ApplicationSetSchema, object), {
    spec: { generators: [{ clusters: {} }], template: { metadata: { name: 'web' } } },
  })
})

test('an answer leaves out what the wire has no place for', () => {
  const object = {
    apiVersion: 'argoproj.io/v1alpha1',
    metadata: { name: 'set', creationTimestamp: null, generation: 1.5, labels: { a: 'b', c: 1 } },
    spec: { goTemplate: 'true', generators: [{ list: { elements: [] } }, 'none'], future: 1 },
    status: { authorization: { subject: 'admin' }, conditions: [{ type: 'a', lastTransitionTime: 'soon' }] },
  }
  assert.deepEqual(overTheWire(object), {
    metadata: { name: 'set', labels: { a: 'b' } },
    spec: { generators: [{ list: {} }] },
    status: { conditions: [{ type: 'a' }] },
  })
})

const bytes = (...values: number[]) => Uint8Array.from(values)
const raw = (text: string) => [...Buffer.from(text)]
const inElements = (content: number[]) => {
  const json = [0x0a, content.length, ...content]
  const list = [0x0a, json.length, ...json]
  const generator = [0x0a, list.length, ...list]
  const spec = [0x12, generator.length, ...generator]
  return bytes(0x12, spec.length, ...spec)
}

const unreadable: [string, Uint8Array, string][] = [
  [
    'bytes that are not valid JSON',
    inElements(raw('{a}')),
    'spec.generators[0].list.elements[0] is not valid JSON',
  ],
  [
    'bytes that are not UTF-8',
    inElements([0x22, 0xff, 0x22]),
    'spec.generators[0].list.elements[0] is not valid JSON',
  ],
  [
    'lists in lists without end',
    inElements(raw('['.repeat(101))),
    'spec.generators[0].list.elements[0]: lists and maps are nested deeper than 100',
  ],
  [
    'a number that JSON cannot hold',
    bytes(0x0a, 0x0a, 0x38, ...Array.from({ length: 8 }, () => 0xff), 0x7f),
    'metadata.generation: 9223372036854775807 is too large',
  ],
  [
    'a time that no calendar has',
    bytes(0x0a, 0x0c, 0x42, 0x0a, 0x08, ...Array.from({ length: 8 }, () => 0xff), 0x7f),
    'metadata.creationTimestamp: no such time',
  ],
]
for (const [what, message, text] of unreadable) {
  test(`refused with its place: ${what}`, () => {
    const set = fromBinary(ApplicationSetSchema, message)
    assert.throws(() => toKubernetesJson(ApplicationSetSchema, set), {
      name: 'InvalidInputError',
      message: text,
    })
  })
}

test('a moment that Go has not set is none', () => {
  const set = fromBinary(ApplicationSetSchema, bytes(0x0a, 0x05, 0x0a, 0x01, 0x61, 0x42, 0x00))
  assert.deepEqual(toKubernetesJson(ApplicationSetSchema, set), { metadata: { name: 'a' } })
})
