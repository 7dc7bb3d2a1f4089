import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { extensionsOf } from './application-set-extensions.ts'
import { parseApplicationSet } from './application-set.ts'

function parse(spec: Record<string, unknown>, metadata: Record<string, unknown> = {}) {
  return parseApplicationSet({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd', ...metadata },
    spec: { template: {}, generators: [{ list: {} }], ...spec },
  })
}

function errorsOf(spec: Record<string, unknown>): string[] {
  try {
    parse(spec)
  } catch (error) {
    if (error instanceof InvalidInputError)
      return error.message.replace('ApplicationSet set: ', '').split('; ')
    throw error
  }
  return []
}

test('fields that do not exist are refused by name, at every level and all at once', () => {
  const pattern = { path: 'a', exlude: true }
  const spec = {
    gotemplate: true,
    generators: [
      { list: { element: [] }, selector: { matchLabel: {} } },
      { matrix: { generators: [{ git: { repoUrl: '', files: [pattern] } }, { clusters: { label: 1 } }] } },
      { lists: {} },
    ],
    template: { metadata: { generateName: 'x' }, status: {} },
    syncPolicy: { prune: true },
  }
  const named = errorsOf(spec).flatMap((error) => /^unknown field (\S+)/.exec(error)?.[1] ?? [])
  assert.deepEqual(named, [
    'spec.gotemplate',
    'spec.generators[0].list.element',
    'spec.generators[0].selector.matchLabel',
    'spec.generators[1].matrix.generators[0].git.repoUrl',
    'spec.generators[1].matrix.generators[0].git.files[0].exlude',
    'spec.generators[1].matrix.generators[1].clusters.label',
    'spec.generators[2].lists',
    'spec.template.status',
    'spec.template.metadata.generateName',
    'spec.syncPolicy.prune',
  ])
  assert.equal(errorsOf({ syncPolicy: { prune: true } })[0], 'unknown field spec.syncPolicy.prune')
  assert.equal(errorsOf({ generators: [{ lists: {} }] })[0], 'unknown field spec.generators[0].lists')
})

test('fields of plugins and of cluster decisions are known, and others are not', () => {
  const plugin = {
    configMapRef: { name: 'p', namespace: 'x' },
    input: { parameters: { any: {} }, values: {} },
  }
  const clusterDecisionResource = {
    configMapRef: 'text',
    labelSelector: { matchLabels: {}, matchLabel: {} },
    name: '',
    values: {},
    requeueAfterSeconds: 5,
    selector: {},
  }
  const named = errorsOf({ generators: [{ plugin }, { clusterDecisionResource }] }).flatMap(
    (error) => /^unknown field (\S+)/.exec(error)?.[1] ?? [],
  )
  assert.deepEqual(named, [
    'spec.generators[0].plugin.configMapRef.namespace',
    'spec.generators[0].plugin.input.values',
    'spec.generators[1].clusterDecisionResource.selector',
    'spec.generators[1].clusterDecisionResource.labelSelector.matchLabel',
  ])
})

test('what becomes of Applications that exist is read', () => {
  const of = (spec: Record<string, unknown>) => {
    const { policy, preservedFields, ignoredDifferences } = parse(spec)
    return { policy, preservedFields, ignoredDifferences }
  }
  assert.deepEqual(of({}), {
    policy: 'sync',
    preservedFields: { annotations: [], labels: [] },
    ignoredDifferences: [],
  })
  const preservedFields = { annotations: ['a'], labels: ['b/c'] }
  const ignoreApplicationDifferences = [
    { name: 'app', jsonPointers: ['/spec/a'], jqPathExpressions: ['.spec.b'] },
  ]
  assert.deepEqual(
    of({ syncPolicy: { applicationsSync: 'create-update' }, preservedFields, ignoreApplicationDifferences }),
    {
      policy: 'create-update',
      preservedFields,
      ignoredDifferences: [
        {
          name: 'app',
          places: [
            [
              { kind: 'token', token: 'spec' },
              { kind: 'token', token: 'a' },
            ],
            [
              { kind: 'key', key: 'spec' },
              { kind: 'key', key: 'b' },
            ],
          ],
        },
      ],
    },
  )
  assert.deepEqual(errorsOf({ preservedFields: { labels: 'a' } }), [
    'spec.preservedFields.labels must be a list, not a string',
  ])
})

test('required fields of an ApplicationSet are checked', () => {
  assert.deepEqual(errorsOf({ generators: [] }), ['spec.generators: at least one generator is required'])
  assert.deepEqual(errorsOf({ template: null }), ['spec.template is required'])
  assert.deepEqual(errorsOf({ goTemplateOptions: ['missingkey=none'] }), [
    'spec.goTemplateOptions: "missingkey=none" is not an option',
    'missingkey=error is one',
  ])
  assert.match(
    errorsOf({ syncPolicy: { applicationsSync: 'never' } })[0] ?? '',
    /applicationsSync: one of sync/,
  )
})

test('the options decide how absent keys are treated, the last one applies', () => {
  const options = (...goTemplateOptions: string[]) =>
    parse({ goTemplate: true, goTemplateOptions }).goTemplate
  assert.deepEqual(options(), { missingKey: 'default' })
  assert.deepEqual(options('missingkey=zero'), { missingKey: 'zero' })
  assert.deepEqual(options('missingkey=error', 'missingkey=invalid'), { missingKey: 'default' })
  assert.equal(parse({ goTemplateOptions: ['missingkey=error'] }).goTemplate, undefined)
})

test('the annotation of webhooks asks for a poll of the remotes', () => {
  const annotations = { 'argocd.argoproj.io/application-set-refresh': 'true' }
  assert.deepEqual([parse({}).refresh, parse({}, { annotations }).refresh], [false, true])
})

test('what Argo CD would not take is reported', () => {
  const list = { list: {} }
  const git = { git: { directories: [{ path: 'apps/**' }], files: [{ path: 'apps/**/x' }] } }
  const deep = { merge: { mergeKeys: ['values.x', 'a'], generators: [list, list] } }
  const nested = { matrix: { generators: [list, { matrix: { generators: [list, deep] } }] } }
  const three = { matrix: { generators: [list, list, git] } }
  const generators = [nested, three]
  assert.deepEqual(extensionsOf(parse({ generators, goTemplate: true })), [
    'spec.generators[0].matrix.generators[1].matrix.generators[1].merge: more than 2 levels of matrix and merge generators',
    'spec.generators[0].matrix.generators[1].matrix.generators[1].merge: merge keys that lead into maps',
    'spec.generators[1].matrix: more than two generators',
    'spec.generators[1].matrix.generators[2].git: ** in paths of files',
  ])
  const same = { git: { directories: [{ path: 'apps/**' }], files: [{ path: 'a**' }] } }
  assert.deepEqual(extensionsOf(parse({ generators: [{ matrix: { generators: [list, same] } }] })), [])
})
