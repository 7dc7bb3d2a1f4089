import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { InspectionCache } from './inspection-cache.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { RenderFixture, strictPolicy, testRevision, testSource, testTools } from '../run/render-fixture.ts'
import type { HelmOptions } from '../renderers/helm/helm-option-schema.ts'

const tools = await testTools()

const files = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'a: 1\n',
  'web/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  'env/prod.yaml': 'a: 2\n',
  'plain/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  'over/Kustomization': 'resources: []\n',
}

test('the renderer follows from the files of the directory', async () => {
  await using fixture = new RenderFixture(tools, files)
  const found = await Promise.all(
    ['web', 'plain', './over/'].map((path) => fixture.inspect(testSource(path))),
  )
  assert.deepEqual(
    found.map(({ renderer, path }) => [renderer, path]),
    [
      ['helm', 'web'],
      ['directory', 'plain'],
      ['kustomize', 'over'],
    ],
  )
  assert.equal((await fixture.inspect(testSource('web', { directory: {} }))).renderer, 'directory')
})

test('a missing path is not found, and the message names path and revision', async () => {
  await using fixture = new RenderFixture(tools, files)
  await assert.rejects(fixture.inspect(testSource('nope/deep')), {
    name: 'NotFoundError',
    message: `source path "nope/deep" does not exist at revision ${testRevision}`,
  })
})

for (const path of ['/etc', '..', '../x', 'web/../../x', 'a\0b', 'web/values.yaml', '..\\x', './../web']) {
  test(`the source path ${JSON.stringify(path)} is refused`, async () => {
    await using fixture = new RenderFixture(tools, files)
    await assert.rejects(fixture.inspect(testSource(path)), InvalidInputError)
  })
}

for (const file of [
  '../../secret.yaml',
  '../../../../etc/passwd',
  '/../secret.yaml',
  '..',
  '/..',
  'a/../../../x',
  '//host/x',
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  'https://example.com/values.yaml',
  'http://169.254.169.254/',
  'oci://example.com/x',
  's3://bucket/x',
  'git+https://example.com/x',
  '..\\..\\x',
  'a\0b',
  '%2e%2e/x/../../..',
  './../../x',
  '../web/../../x',
  '/web/../../x',
  './/../../x',
  '../*/../../x',
  '*/../../../x',
  'templates',
  '/',
  '.',
  'secrets://x',
  'data:text/plain,x',
  '$ARGOCD_APP_NAME../../x',
  '$ref/values.yaml',
]) {
  test(`the value file ${JSON.stringify(file)} is refused`, async () => {
    await using fixture = new RenderFixture(tools, files)
    await assert.rejects(fixture.inspect(testSource('web', { helm: { valueFiles: [file] } })), /value ?file/i)
  })
}

test('a symlink that leaves the repository, dangles, is absolute or loops is refused by its name', async () => {
  await using fixture = new RenderFixture(tools, files)
  for (const [link, target, message] of [
    ['web/out.yaml', '../../outside.yaml', /symlink "web\/out\.yaml" to ".*" leads outside the repository/],
    ['web/passwd', '/etc/passwd', /symlink "web\/passwd" leads to the absolute path "\/etc\/passwd"/],
    ['web/dangling', 'nothing', /symlink "web\/dangling" leads to "web\/nothing", which does not exist/],
    ['web/circle', 'circle', /symlink "web\/circle" loops/],
    ['web/self', '../web', /symlink "web\/self" loops/],
    ['web/git', '../.git/config', /symlink "web\/git" leads to "\.git/],
  ] as const) {
    await using broken = new RenderFixture(tools, files)
    broken.link(link, target)
    await assert.rejects(broken.inspect(testSource('web')), message)
  }
  assert.equal((await fixture.inspect(testSource('web'))).renderer, 'helm')
})

test('a symlink inside the repository is rendered like its target, which is an input', async () => {
  await using fixture = new RenderFixture(tools, {
    ...files,
    'shared/b.yaml': files['plain/a.yaml'].replace('{name: a}', '{name: b}'),
  })
  fixture.link('web/templates/b.yaml', '../../shared/b.yaml')
  fixture.link('current', 'env')
  const source = testSource('web', { helm: { valueFiles: ['/current/prod.yaml'] } })
  const before = await fixture.inspect(source)
  assert.deepEqual(before.inputs, ['current/prod.yaml', 'web', 'web/templates/b.yaml'])
  assert.equal((await fixture.render(source)).manifests.length, 2)
  fixture.write('shared/b.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n')
  const after = await fixture.inspect(source)
  assert.notEqual(after.fingerprint, before.fingerprint)
  fixture.write('env/prod.yaml', 'a: 3\n')
  assert.notEqual((await fixture.inspect(source)).fingerprint, after.fingerprint)
})

test('a source may be behind a symlink, and a file that comes there later is seen', async () => {
  await using fixture = new RenderFixture(tools, files)
  fixture.link('current', 'plain')
  const cache = new InspectionCache()
  const inspect = () =>
    cache.inspect(
      openDirectoryTree(fixture.directory),
      testSource('current'),
      testRevision,
      fixture.tools,
      strictPolicy,
    )
  const before = await inspect()
  assert.deepEqual([before.renderer, before.inputs], ['directory', ['current/a.yaml']])
  assert.equal((await fixture.render(testSource('current'))).manifests.length, 1)
  assert.equal((await inspect()).reads, before.reads)
  fixture.write('plain/.argocd-source.yaml', 'directory: {exclude: "*"}\n')
  assert.deepEqual((await inspect()).inputs, [])
})

test('a submodule is left empty, with a warning', async () => {
  await using fixture = new RenderFixture(tools, { ...files, 'web/files/more/.git': 'gitdir: elsewhere\n' })
  assert.deepEqual((await fixture.inspect(testSource('web'))).warnings, [
    'submodule "web/files/more" is left empty, unlike in Argo CD; commit the files themselves',
  ])
})

test('override files are merged over the inline options as JSON merge patches, the application’s own last', async () => {
  await using fixture = new RenderFixture(tools, {
    ...files,
    'web/.argocd-source.yaml':
      'path: elsewhere\nhelm:\n  releaseName: from-file\n  namespace: null\n  valuesObject: {on: yes, big: 9007199254740993}\n',
    'web/.argocd-source-web.yaml': 'helm:\n  releaseName: from-app\n',
    'web/.argocd-source-other.yaml': 'helm: 1\n',
  })
  const inspection = await fixture.inspect(testSource('web', { helm: { namespace: 'x', skipTests: true } }))
  assert.deepEqual(inspection.options, {
    helm: { releaseName: 'from-app', skipTests: true, valuesObject: { true: true, big: 9007199254740993n } },
  })
  assert.equal(inspection.inlineOptions, true)
  assert.deepEqual(inspection.warnings, [
    'not in git: the Application sets helm itself; move it to web/.argocd-source-web.yaml, or to .argocd-source.yaml if all Applications of the directory have it',
    'web/.argocd-source.yaml: path is ignored; the Application decides it',
  ])
  assert.equal((await fixture.inspect(testSource('plain'))).inlineOptions, false)
  const shared = { ...testSource('plain', { directory: { recurse: true } }), sharedWith: ['more'] }
  assert.deepEqual((await fixture.inspect(shared)).warnings, [
    'not in git: the Application sets directory itself; move it to plain/.argocd-source.yaml',
  ])
})

for (const [text, warning] of [
  [
    'helm:\n  valuesFiles: [a]\n',
    'web/.argocd-source.yaml:2: unknown field helm.valuesFiles; did you mean valueFiles? It is ignored, as by Argo CD',
  ],
  [
    'helm:\n  parameters:\n  - name: a\n    valeu: b\n',
    'web/.argocd-source.yaml:4: unknown field helm.parameters[0].valeu; did you mean value? It is ignored, as by Argo CD',
  ],
  [
    'helm: {}\nksonnet: {}\n',
    'web/.argocd-source.yaml:2: unknown field ksonnet; expected one of plugin, kustomize, helm, directory. It is ignored, as by Argo CD',
  ],
] as const) {
  test(`unknown fields of the override file ${JSON.stringify(text)} are ignored with a warning`, async () => {
    await using fixture = new RenderFixture(tools, { ...files, 'web/.argocd-source.yaml': text })
    const { warnings } = await fixture.inspect(testSource('web'))
    assert.ok(warnings.includes(warning), warnings.join('\n'))
  })
}

test('the case of fields of override files does not count, and they are merged before as they are written', async () => {
  const inline = { helm: { parameters: [{ name: 'inline', value: 'x' }], releaseName: 'a' } }
  for (const [text, helm] of [
    [
      'helm:\n  parameters:\n  - name: msg\n    value: "0012"\n    forcestring: true\n',
      { parameters: [{ name: 'msg', value: '0012', forceString: true }], releaseName: 'a' },
    ],
    ['HELM: {RELEASENAME: b}\n', { ...inline.helm, releaseName: 'a' }],
    ['Helm: {skipcrds: true}\n', { ...inline.helm, skipCrds: true }],
    ['helm: {releasename: b}\n', { ...inline.helm, releaseName: 'b' }],
    ['helm: {ReleaseName: b}\n', inline.helm],
  ] as const) {
    await using fixture = new RenderFixture(tools, { ...files, 'web/.argocd-source-web.yaml': text })
    const { options, warnings } = await fixture.inspect(testSource('web', inline))
    assert.deepEqual(options, { helm }, text)
    assert.equal(warnings.filter((warning) => warning.includes('unknown')).length, 0)
  }
})

for (const [text, message] of [
  [
    'helm:\n  parameters:\n  - name: a\n    value: 3\n',
    /^web\/\.argocd-source\.yaml:4: helm\.parameters\[0\]\.value must be a string, not a number$/,
  ],
  [
    'kustomize:\n  replicas:\n  - {name: a, count: -1}\n',
    /^web\/\.argocd-source\.yaml:3: kustomize\.replicas\[0\]\.count must be a whole number, not negative$/,
  ],
  [
    'helm:\n  version: v2\n',
    /^web\/\.argocd-source\.yaml:2: helm\.version must be v3, v4 or one exact version, such as 4\.3\.1$/,
  ],
  [
    'helm:\n  fileParameters:\n  - name: a\n',
    /^web\/\.argocd-source\.yaml:3: helm\.fileParameters\[0\]\.path is required$/,
  ],
  [
    '- a\n',
    /^web\/\.argocd-source\.yaml:1: the options must be an object, not a list: plugin, kustomize, helm, directory$/,
  ],
  ['helm: {}\nhelm: {}\n', /^web\/\.argocd-source\.yaml:2: /],
  [
    'kustomize: {version: 5.8.3}\nhelm: {version: 4.3.1}\n',
    /^web\/\.argocd-source\.yaml:2: source "web" has options of several renderers: kustomize, helm; keep one$/,
  ],
  ['kustomize: {}\nhelm: {}\n', /has options of several renderers: kustomize, helm/],
] as const) {
  test(`the override file ${JSON.stringify(text)} is refused`, async () => {
    await using fixture = new RenderFixture(tools, { ...files, 'web/.argocd-source.yaml': text })
    await assert.rejects(fixture.inspect(testSource('web')), { name: 'InvalidInputError', message })
  })
}

test('the fingerprint changes with everything that decides the result and nothing else', async () => {
  await using fixture = new RenderFixture(tools, files)
  const helm: HelmOptions = { parameters: [{ name: 'r', value: '$ARGOCD_APP_SOURCE_TARGET_REVISION' }] }
  const source = testSource('web', { helm }, 'ns')
  const { fingerprint, variables } = await fixture.inspect(source)
  assert.match(fingerprint, /^[0-9a-f]{64}$/)
  assert.deepEqual(variables, ['ARGOCD_APP_SOURCE_TARGET_REVISION'])
  const same = [
    { ...source, applicationName: 'other' },
    { ...source, repoUrl: 'x' },
    { ...source, path: './web/' },
  ]
  for (const other of same) assert.equal((await fixture.inspect(other)).fingerprint, fingerprint)
  const different = [
    { ...source, targetRevision: 'v2' },
    { ...source, destinationNamespace: 'x' },
    { ...source, options: { helm: { ...helm, skipCrds: true } } },
  ]
  for (const other of different) assert.notEqual((await fixture.inspect(other)).fingerprint, fingerprint)
  fixture.write('plain/b.yaml', files['plain/a.yaml'])
  assert.equal((await fixture.inspect(source)).fingerprint, fingerprint)
  fixture.write('web/values.yaml', 'a: 9\n')
  assert.notEqual((await fixture.inspect(source)).fingerprint, fingerprint)
})

test('a variable that hydration never sets is reported', async () => {
  await using fixture = new RenderFixture(tools, files)
  const helm = { parameters: [{ name: 'app', value: '$ARGOCD_APP_NAME' }] }
  const { warnings } = await fixture.inspect(testSource('web', { helm }))
  assert.ok(
    warnings.some((warning) =>
      warning.startsWith('variable ARGOCD_APP_NAME is not available during hydration'),
    ),
  )
})
