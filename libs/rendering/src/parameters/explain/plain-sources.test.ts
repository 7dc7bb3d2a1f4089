import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainTrees } from '@wadi/params/explain/explain.ts'
import { announcementOf } from '@wadi/plugins/announcements/announcement-of.ts'
import { testPlugins } from '../../renderers/plugin/plugins-fixture.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'
import type { RenderSource } from '../../source/source.ts'
import { announcingPlugin, treesOf } from '../../run/parameters-fixture.ts'

const tools = await testTools()

/** The rows of a source as lines: path, value, winner and what it overrides. */
async function linesOf(fixture: RenderFixture, source: RenderSource): Promise<string[]> {
  const trees = await treesOf(fixture, source)
  const place = ({
    owner,
    kind,
    file,
    line,
    value,
  }: {
    owner: string
    kind: string
    file: string
    line?: number
    value: unknown
  }) => `${owner} ${kind} ${JSON.stringify(value)} ${line === undefined ? file : `${file}:${line}`}`
  return [...explainTrees(trees)].map(
    ({ path, from, beats }) => `${path} ${[from, ...beats].map(place).join(' < ')}`,
  )
}

const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml':
    'replicas: 1\nimage:\n  tag: a\n  name: web\nhosts: [x, w]\nsidecar: {run: true}\nkept: 1\n',
  'web/templates/v.yaml': 'v: {{ .Values | toJson | quote }}\n',
}

test('each value of a chart is explained by the place that decides it and all that it overrides', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chart,
    'env/prod.yaml': 'replicas: 2\nimage: {tag: b}\nhosts: [p, q]\n',
    'web/note.txt': 'text\n',
    'web/.argocd-source.yaml': `helm:
  valueFiles: [../env/prod.yaml]
  values: |
    # comment
    replicas: 3
    sidecar: null
  parameters:
  - name: image.tag
    value: c
  - {name: 'hosts[1]', value: z}
  - {name: replicas, value: "4", forceString: true}
  fileParameters: [{name: note, path: note.txt}]
`,
  })
  const source = testSource('web', { helm: { parameters: [{ name: 'gone', value: '1' }] } })
  const own = 'web/.argocd-source.yaml'
  assert.deepEqual(await linesOf(fixture, source), [
    `.replicas developer value "4" ${own}:11 < developer value 3 ${own}:5 < developer value 2 env/prod.yaml:1 < tool default 1 web/values.yaml:1`,
    `.image.tag developer value "c" ${own}:8 < developer value "b" env/prod.yaml:2 < tool default "a" web/values.yaml:3`,
    '.image.name tool default "web" web/values.yaml:4',
    `.hosts developer value ["p","z"] ${own}:10 < developer value ["p","q"] env/prod.yaml:3 < tool default ["x","w"] web/values.yaml:5`,
    '.kept tool default 1 web/values.yaml:7',
    '.note developer value "text\\n" web/note.txt',
  ])
})

test('options of the Application are explained by its field, and lose to those in git', async () => {
  await using fixture = new RenderFixture(tools, {
    ...chart,
    'web/.argocd-source.yaml': 'helm:\n  valuesObject:\n    image:\n      tag: git\n    kept: null\n',
  })
  const source = testSource('web', {
    helm: { valuesObject: { image: { tag: 'app', name: 'app' }, kept: 2 } },
  })
  const application = 'Application: spec.sourceHydrator.drySource.helm'
  assert.deepEqual(await linesOf(fixture, source), [
    '.replicas tool default 1 web/values.yaml:1',
    `.image.tag developer value "git" web/.argocd-source.yaml:4 < developer value "app" ${application} < tool default "a" web/values.yaml:3`,
    `.image.name developer value "app" ${application} < tool default "web" web/values.yaml:4`,
    '.hosts tool default ["x","w"] web/values.yaml:5',
    '.sidecar.run tool default true web/values.yaml:6',
    '.kept tool default 1 web/values.yaml:7',
  ])
})

test('what kustomizations set, and options of Kustomize and of a directory, have their places', async () => {
  await using fixture = new RenderFixture(tools, {
    'over/kustomization.yaml':
      'resources: [cm.yaml, ../base]\nnamePrefix: k-\nimages:\n- name: nginx\n  newTag: "1.20"\n- {name: docker.io/redis, digest: sha256:1}\npatches: [{path: p.yaml}]\nlabels: [{pairs: {team: web}}]\n',
    'over/p.yaml': '',
    'base/kustomization.yaml': 'nameSuffix: -b\nreplicas: [{name: web, count: 2}]\ncomponents: [../part]\n',
    'part/kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamespace: ns\n',
    'over/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: k}\n',
    'over/.argocd-source.yaml':
      'kustomize:\n  namePrefix: p-\n  images:\n  - nginx:1.21\n  commonLabels: {a: b}\n  patches:\n  - patch: "[]"\n    target: {kind: ConfigMap}\n',
    'plain/.argocd-source.yaml': 'directory:\n  recurse: true\n',
    'plain/cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: k}\n',
  })
  const inline = { kustomize: { namePrefix: 'x-', nameSuffix: '-s', images: ['nginx:1.19', 'gone:1'] } }
  const [own, application] = [
    'over/.argocd-source.yaml',
    'Application: spec.sourceHydrator.drySource.kustomize',
  ]
  assert.deepEqual(await linesOf(fixture, testSource('over', inline)), [
    `.namePrefix developer value "p-" ${own}:2 < developer value "x-" ${application} < tool default "k-" over/kustomization.yaml:2`,
    `.images.nginx developer value "nginx:1.21" ${own}:4 < developer value "nginx:1.19" ${application} < tool default "nginx:1.20" over/kustomization.yaml:4`,
    '.images.docker.io/redis tool default "docker.io/redis@sha256:1" over/kustomization.yaml:6',
    '.patches.0 tool default "p.yaml" over/kustomization.yaml:7',
    `.patches.1 developer value "[] for {\\"kind\\":\\"ConfigMap\\"}" ${own}:7`,
    '.labels.team tool default "web" over/kustomization.yaml:8',
    `.nameSuffix developer value "-s" ${application}`,
    `.commonLabels.a developer value "b" ${own}:5`,
    '.nameSuffix tool default "-b" base/kustomization.yaml:1',
    '.replicas.web tool default 2 base/kustomization.yaml:2',
    '.components.0 tool default "../part" base/kustomization.yaml:3',
    '.namespace tool default "ns" part/kustomization.yaml:3',
  ])
  assert.deepEqual(await linesOf(fixture, testSource('plain')), [
    '.recurse developer value true plain/.argocd-source.yaml:2',
  ])
})

test('parameters of a plugin are explained with what it announces below what is set', async () => {
  const plugin = announcingPlugin('p', [
    announcementOf({ name: 'replicas', default: { kind: 'string', text: '1' } }),
    announcementOf({
      name: 'images',
      collectionType: 'map',
      default: { kind: 'map', entries: [['a', 'b']] },
    }),
    announcementOf({ name: 'bare' }),
  ])
  await using fixture = new RenderFixture(
    tools,
    {
      'web/.argocd-source.yaml':
        'plugin:\n  name: p\n  parameters:\n  - name: replicas\n    string: "2"\n  - name: other\n    array: [x]\n',
    },
    testPlugins(plugin),
  )
  const own = 'web/.argocd-source.yaml'
  assert.deepEqual(await linesOf(fixture, testSource('web')), [
    `.replicas developer value "2" ${own}:4 < tool default "1" plugin p`,
    '.images tool default {"a":"b"} plugin p',
    `.other developer value ["x"] ${own}:6`,
  ])
  const parameters = [
    { name: 'x', group: '', string: 'y', form: 'flat', itemType: '', warnings: [] },
  ] as const
  await using bare = new RenderFixture(tools, { 'web/a.txt': '' }, testPlugins(plugin))
  assert.deepEqual((await linesOf(bare, testSource('web', { plugin: { name: 'p', parameters } }))).slice(2), [
    '.x developer value "y" Application: spec.sourceHydrator.drySource.plugin',
  ])
})
