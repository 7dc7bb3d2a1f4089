import { unplaced } from '@wadi/fields/field-places.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ParameterSchema } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { announcementOf } from '@wadi/plugins/announcements/announcement-of.ts'
import { testPlugins } from '../../renderers/plugin/plugins-fixture.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'
import { defaultRenderers } from '../../renderers/renderers.ts'
import { parseSourceOptions } from '../../source/source-options.ts'
import { announcingPlugin, describeSource, linesOf } from '../../run/parameters-fixture.ts'

const tools = await testTools()

const kustomization = `# base
namePrefix: a-
images:
- name: nginx
  newTag: "1.20"
- name: docker.io/library/redis
  newName: cache
  digest: sha256:abc
replicas:
- {name: web, count: 2}
commonLabels: {team: x}
components: [extra]
`

test('options of Kustomize stand beside what the kustomization says itself', async () => {
  await using fixture = new RenderFixture(tools, {
    'over/kustomization.yml': kustomization,
    'over/extra/kustomization.yaml': 'kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\n',
    'over/.argocd-source.yaml':
      'kustomize:\n  images:\n  - nginx=*:1.21\n  - new=x@sha256:def\n  - redis:7\n  commonAnnotations: {a: b}\n',
    'over/.argocd-source-web.yaml':
      'kustomize:\n  nameSuffix: -s\n  replicas:\n  - name: web\n    count: 3\n',
  })
  const described = await describeSource(fixture, testSource('over', { kustomize: { namespace: 'n' } }))
  assert.deepEqual([described.renderer, described.plugin, described.warnings], ['kustomize', '', []])
  assert.deepEqual(linesOf(described.parameters), [
    'name-prefix: string default "a-" (file over/kustomization.yml:2)',
    'name-suffix: string = "-s" (git over/.argocd-source-web.yaml:2)',
    'namespace: string = "n" (application)',
    'images: image = {nginx: nginx:1.21, new: x@sha256:def, redis: redis:7} (git over/.argocd-source.yaml:3) default {nginx: nginx:1.20, docker.io/library/redis: cache@sha256:abc} (file over/kustomization.yml:4)',
    'replicas: number = {web: 3} (git over/.argocd-source-web.yaml:4) default {web: 2} (file over/kustomization.yml:10)',
    'common-labels: string default {team: x} (file over/kustomization.yml:11)',
    'common-annotations: string = {a: b} (git over/.argocd-source.yaml:6)',
    'components: string default ["extra"] (file over/kustomization.yml:12)',
  ])
  assert.deepEqual(
    described.parameters.map(({ collection }) => collection),
    ['string', 'string', 'string', 'map', 'map', 'map', 'map', 'array'],
  )
})

test('options of a plain directory are listed', async () => {
  await using fixture = new RenderFixture(tools, {
    'plain/.argocd-source.yaml':
      'directory:\n  recurse: true\n  jsonnet:\n    tlas:\n    - {name: t, value: v}\n    - {name: c, value: "1+1", code: true}\n',
  })
  const { renderer, parameters } = await describeSource(fixture, testSource('plain'))
  assert.equal(renderer, 'directory')
  assert.deepEqual(linesOf(parameters), [
    'recurse: boolean = "true" (git plain/.argocd-source.yaml:2) default "false" (nowhere)',
    'include: string',
    'exclude: string',
    'jsonnet-ext-vars: string',
    'jsonnet-tlas: string = {t: v, c: 1+1} (git plain/.argocd-source.yaml:5)',
  ])
})

const announcements = [
  announcementOf({
    name: 'size',
    title: 'Size',
    tooltip: 'How big.',
    group: 'main things',
    required: true,
    itemType: 'number',
    options: ['1', '2'],
    fixedItems: true,
    uiConfig: '{"slider": true}',
  }),
  announcementOf({
    name: 'hosts',
    collectionType: 'array',
    default: { kind: 'array', items: ['a', 'b'] },
    sendDefault: true,
  }),
  announcementOf({ name: 'labels', collectionType: 'map', default: { kind: 'map', entries: [['a', '1']] } }),
  announcementOf({ name: 'debug', itemType: 'boolean', default: { kind: 'string', text: 'false' } }),
]

test('parameters of a plugin are listed as announced, and then those that are only set', async () => {
  const plugin = announcingPlugin('tool-v1', announcements, ['the plugin says something'])
  await using fixture = new RenderFixture(
    tools,
    {
      'app/.argocd-source.yaml': `plugin:
  parameters:
  - name: labels
    map: {b: "2"}
  - name: size
    string: big
  - name: other
    string: x
  - name: debug
    array: [a]
  - name: other
    array: [z]
`,
    },
    testPlugins(plugin),
  )
  const inline = { plugin: { name: 'tool-v1', parameters: [{ name: 'size', string: '1' }] } }
  const options = parseSourceOptions(inline, unplaced('inline'), defaultRenderers)
  const described = await describeSource(fixture, testSource('app', options))
  assert.deepEqual(
    [described.renderer, described.plugin, described.warnings],
    ['plugin', 'tool-v1', ['the plugin says something']],
  )
  const file = 'git app/.argocd-source.yaml'
  assert.deepEqual(linesOf(described.parameters), [
    `size: number = "big" (${file}:5)`,
    'hosts: string default ["a","b"] (plugin)',
    `labels: string = {b: 2} (${file}:3) default {a: 1} (plugin)`,
    `debug: boolean = ["a"] (${file}:9) default "false" (plugin)`,
    `other: string = ["z"] (${file}:11) unknown`,
  ])
  assert.deepEqual(
    described.parameters.map(({ problems }) => problems),
    [['"big" is not a number'], [], [], ['takes a single value, not a list'], []],
  )
  const [size, hosts] = described.parameters.map((message) => create(ParameterSchema, message))
  assert.deepEqual(
    { ...size, $typeName: undefined, value: undefined, origin: undefined, problems: undefined },
    {
      $typeName: undefined,
      name: 'size',
      title: 'Size',
      tooltip: 'How big.',
      group: 'main things',
      type: 'number',
      collection: 'string',
      required: true,
      options: ['1', '2'],
      fixedItems: true,
      fixedBecause: '',
      uiConfig: '{"slider": true}',
      suggestion: '',
      sendsDefault: false,
      value: undefined,
      origin: undefined,
      announced: true,
      problems: undefined,
    },
  )
  assert.equal(hosts?.sendsDefault, true)
})

test('a required parameter that is not set and odd ways of setting one are reported as problems', async () => {
  const plugin = announcingPlugin('tool', announcements)
  await using fixture = new RenderFixture(
    tools,
    {
      'app/.argocd-source.yaml':
        'plugin:\n  name: tool\n  parameters:\n  - {name: labels, string: x, map: {}}\n',
    },
    testPlugins(plugin),
  )
  const { parameters } = await describeSource(fixture, testSource('app'))
  const problems = new Map(parameters.map(({ name, problems: texts }) => [name, texts ?? []]))
  assert.deepEqual(problems.get('size'), ['is required; set it'])
  assert.match(problems.get('labels')?.join('\n') ?? '', /sets a single value and a map/)
})

test('what goes wrong while a plugin is asked is an error', async () => {
  const plugin = {
    ...announcingPlugin('tool', []),
    announce: async () => await Promise.reject(new RangeError('no announcements today')),
  }
  await using fixture = new RenderFixture(
    tools,
    { 'app/.argocd-source.yaml': 'plugin: {name: tool}\n' },
    testPlugins(plugin),
  )
  await assert.rejects(describeSource(fixture, testSource('app')), /no announcements today/)
})
