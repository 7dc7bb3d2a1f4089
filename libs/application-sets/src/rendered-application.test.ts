import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { startGeneratorFixture } from './generator-fixture.ts'

const fixture = await startGeneratorFixture()
after(() => fixture[Symbol.asyncDispose]())

type Fields = Record<string, unknown>

const finalizers = ['resources-finalizer.argocd.argoproj.io']

/** The only Application of a set with one element. */
async function only(spec: Fields, element: Fields = { n: 'a' }, metadata: Fields = {}) {
  const generators = [{ list: { elements: [element] } }]
  const [application, ...others] = await fixture.generate({ generators, ...spec }, metadata)
  assert.equal(others.length, 0)
  return application
}

const destination = { name: 'in-cluster' }

const template = (metadata: Fields, spec: Fields = {}): Fields => ({
  metadata: { name: '{{n}}', ...metadata },
  spec: { project: 'p', destination, ...spec },
})

test('an Application is in the namespace of its set, whatever template and patch say', async () => {
  const spec = { template: template({ namespace: 'other' }), templatePatch: 'metadata: {namespace: third}' }
  assert.equal((await only(spec))?.metadata.namespace, 'argocd')
  assert.equal((await only(spec, { n: 'a' }, { namespace: 'team' }))?.metadata.namespace, 'team')
  const { namespace } = (await only(spec, { n: 'a' }, { namespace: undefined }))?.metadata ?? {}
  assert.equal(namespace, 'argocd')
})

test('the default finalizer is added where the template has none', async () => {
  const of = async (spec: Fields) => (await only(spec))?.metadata.finalizers
  assert.deepEqual(await of({ template: template({}) }), finalizers)
  assert.deepEqual(await of({ template: template({ finalizers: [] }) }), finalizers)
  assert.deepEqual(await of({ template: template({ finalizers: ['own/x'] }) }), ['own/x'])
  const syncPolicy = { preserveResourcesOnDeletion: true }
  assert.equal(await of({ template: template({}), syncPolicy }), undefined)
})

test('a patch is rendered whole, by either engine, and never changes the project', async () => {
  const goSet = {
    goTemplate: true,
    template: {
      metadata: { name: '{{ .n }}' },
      spec: { project: 'p', destination, source: { helm: { valueFiles: ['a', 'b'] } } },
    },
    templatePatch: `
metadata:
  name: {{ .n }}-patched
  labels: {kept: "{{ .n }}"}
  uid: forged
  ownerReferences: [{name: x}]
spec:
  project: stolen
  syncPolicy: {automated: {prune: {{ .prune }}}}
  source:
    helm:
      valueFiles: {{ .files | toJson }}
      valuesObject: {replicas: {{ .replicas }}}
status: null
`.replace('status: null\n', ''),
  }
  const element = { n: 'a', prune: true, files: ['c'], replicas: 1e6 }
  assert.deepEqual(await only(goSet, element), {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'a-patched', namespace: 'argocd', labels: { kept: 'a' }, finalizers },
    spec: {
      project: 'p',
      destination,
      syncPolicy: { automated: { prune: true } },
      source: { helm: { valueFiles: ['c'], valuesObject: { replicas: 1000000 } } },
    },
  })
  const fast = {
    template: template({}),
    templatePatch: '{"spec":{"project":null,"info":"{{n}}"},"operation":{"sync":{}}}',
  }
  const patched = await only(fast)
  // An operation would start a sync, which is not a template's to do.
  assert.deepEqual(
    [patched?.spec, patched?.['operation']],
    [{ info: 'a', project: 'p', destination }, undefined],
  )
})

test('a patch cannot give a project to an Application that has none', async () => {
  const spec = {
    template: { metadata: { name: 'a' }, spec: { destination } },
    templatePatch: 'spec: {project: stolen}',
  }
  assert.deepEqual((await only(spec))?.spec, { destination })
})

test('values that are not strings stay what they are, and free-form ones are rendered', async () => {
  const spec = {
    template: template({}, { source: { helm: { valuesObject: { on: true, at: ['{{n}}', 1e6] } } } }),
  }
  assert.deepEqual((await only(spec))?.spec, {
    project: 'p',
    destination,
    source: { helm: { valuesObject: { on: true, at: ['a', 1000000] } } },
  })
})

test('keys of maps are rendered, and unknown keys of the default engine stay as they are', async () => {
  const metadata = { annotations: { '{{n}}/x': '{{absent}}', y: '{{ n }}{{.n}}' } }
  assert.deepEqual((await only({ template: template(metadata) }))?.metadata.annotations, {
    'a/x': '{{absent}}',
    y: 'a{{.n}}',
  })
})

test('an element without keys takes the template as it is, without a finalizer', async () => {
  const spec = {
    template: { metadata: { name: 'a', annotations: { x: '{{n}}' } }, spec: { project: 'p', destination } },
  }
  const { metadata } = (await only(spec, {})) ?? {}
  assert.deepEqual([metadata?.annotations, metadata?.finalizers], [{ x: '{{n}}' }, undefined])
})

for (const [spec, message] of [
  [{ template: { spec: {} } }, 'ApplicationSet set contains an application with no name; '],
  [{ template: template({ name: '' }) }, 'ApplicationSet set contains an application with no name; '],
  [
    { template: template({ labels: { a: 'no label' } }) },
    'Application argocd/a: metadata.labels["a"]: "no label" is no',
  ],
  [
    { template: template({}), templatePatch: '- x' },
    'invalid templatePatch: it must be an object, not a list',
  ],
  [
    { template: template({}), templatePatch: 'spec: {destination: x}' },
    'Application argocd/a: spec.destination must be an object, not a string',
  ],
  [
    { template: template({}), templatePatch: '{{n}} {{' },
    'spec.templatePatch: invalid template: Cannot find end tag',
  ],
  [
    { template: template({ name: '{{n}}-{{absent}}' }) },
    'Application argocd/a-{{absent}}: metadata.name: "a-{{absent}}" must be lower-case letters',
  ],
  [
    { goTemplate: true, template: template({ name: '{{ .n }}-{{ .absent }}' }) },
    'Application argocd/a-<no value>: metadata.name: "a-<no value>" must be lower-case letters',
  ],
  [
    {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      template: template({ name: '{{ .n }}', labels: { a: '{{ .absent }}' } }),
    },
    'spec.template.metadata.labels.a: failed to execute go template {{ .absent }}: template: ' +
      'spec.template.metadata.labels.a:1:3: executing "spec.template.metadata.labels.a" at <.absent>: ' +
      'map has no entry for key "absent"',
  ],
] as const) {
  test(`${JSON.stringify(spec).slice(0, 80)} is refused`, async () => {
    await assert.rejects(
      only(spec),
      (error) =>
        error instanceof InvalidInputError &&
        error.message.startsWith(`spec.generators[0].list.elements[0]: ${message}`),
    )
  })
}
