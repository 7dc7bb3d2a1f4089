import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { RenderFixture, testSource, testTools } from '../../run/render-fixture.ts'
import type { SourceOptions } from '../../source/source.ts'
import { changesOf, editSource } from '../../run/parameters-fixture.ts'

const tools = await testTools()

const files = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/values.yaml': 'image: {tag: "1"}\nnamespace: x\n',
  'web/templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {tag: {{ .Values.image.tag | quote }}, ns: {{ .Values.namespace | quote }}}\n',
  'web/more.yaml': '{}\n',
  'over/kustomization.yaml': 'resources: [a.yaml]\n',
  'over/a.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n      - {name: a, image: "docker.io/nginx:1"}\n',
}

/** The text of the source's file after changes, and what is rendered with it. */
async function edited(
  path: string,
  text: string,
  inline: SourceOptions,
  ...words: string[]
): Promise<{ after: string; manifests: string }> {
  const file = `${path}/.argocd-source.yaml`
  await using fixture = new RenderFixture(tools, text === '' ? files : { ...files, [file]: text })
  const source = testSource(path, inline)
  const result = await editSource(fixture, source, changesOf(...words))
  assert.deepEqual([result.path, result.before, result.problems], [file, text, []])
  fixture.write(file, result.after)
  const { manifests } = await fixture.render(source)
  return { after: result.after, manifests: manifests.join('') }
}

test('a value of a chart is an item of helm.parameters, and Helm renders with it', async () => {
  const { after, manifests } = await edited('web', '', {}, 'image.tag=v2', String.raw`\namespace=y`)
  assert.equal(
    after,
    'helm:\n  parameters:\n    - name: image.tag\n      value: v2\n    - name: \\namespace\n      value: "y"\n',
  )
  assert.match(manifests, /"tag":"v2"/)
  assert.match(manifests, /"ns":"y"/)
})

test('a value that is set already is replaced in its place, with what else its item says', async () => {
  const text = `helm:
  releaseName: r # the release
  parameters:
  - name: image.tag
    value: "1"
    forceString: true # a text
  - {name: other, value: x}
  - name: image.tag
    value: '2'
`
  const { after, manifests } = await edited('web', text, {}, 'image.tag=3')
  assert.equal(
    after,
    text.replace(/ {2}- name: image.tag\n.*\n.*\n/, '').replace("'2'", '"3"\n    forceString: true'),
  )
  assert.match(manifests, /"tag":"3"/)
  // Of the two items, the one with forceString decides until then.
  assert.match((await edited('web', text, {}, 'image.tag=2')).manifests, /"tag":"2"/)
  assert.equal(
    (await edited('web', text, {}, 'image.tag-', 'other-')).after,
    'helm:\n  releaseName: r # the release\n',
  )
})

test('options of Helm are set by their names, whatever the chart calls its values', async () => {
  const { after, manifests } = await edited(
    'web',
    '',
    {},
    'release-name=r',
    'namespace=1',
    'skip-tests=true',
    'value-files[0]=more.yaml',
    'api-versions[0]=v1',
    'file-parameters.image.tag=more.yaml',
    'values=a: 1\n',
  )
  assert.equal(
    after,
    `helm:
  valueFiles:
    - more.yaml
  values: |
    a: 1
  releaseName: r
  namespace: "1"
  apiVersions:
    - v1
  skipTests: true
  fileParameters:
    - name: image.tag
      path: more.yaml
`,
  )
  assert.match(manifests, /"name":"r"/)
})

test('values take the place of valuesObject, wherever that stands', async () => {
  const text = 'helm:\n  valuesObject:\n    image: {tag: a}\n'
  const { after, manifests } = await edited('web', text, {}, 'values=image: {tag: b}\n')
  assert.equal(after, 'helm:\n  values: |\n    image: {tag: b}\n')
  assert.match(manifests, /"tag":"b"/)
  const inline = { helm: { valuesObject: { image: { tag: 'a' } } } }
  const nulled = await edited('web', '', inline, 'values=image: {tag: b}\n')
  assert.equal(nulled.after, 'helm:\n  values: |\n    image: {tag: b}\n  valuesObject: null\n')
  assert.match(nulled.manifests, /"tag":"b"/)
  assert.equal((await edited('web', text, {}, 'values-')).after, '')
})

test('a null that hides what the Application says still hides it', async () => {
  const inline = { helm: { releaseName: 'inline', parameters: [{ name: 'a', value: 'x' }] } }
  const { after, manifests } = await edited('web', 'helm: null\n', inline, 'image.tag=v2')
  assert.equal(after, 'helm:\n  parameters:\n    - name: image.tag\n      value: v2\n  releaseName: null\n')
  assert.match(manifests, /"name":"release-name"/)
})

test('an option of the Application that is set no more is nulled', async () => {
  const inline = { helm: { releaseName: 'inline', valueFiles: ['more.yaml'] } }
  assert.equal((await edited('web', '', inline, 'release-name-')).after, 'helm:\n  releaseName: null\n')
  assert.equal((await edited('web', '', inline, 'value-files[0]-')).after, 'helm:\n  valueFiles: null\n')
  assert.equal((await edited('web', 'helm:\n  releaseName: git\n', {}, 'release-name-')).after, '')
})

test('an item of a list leaves the others as they are written', async () => {
  const text =
    'helm:\n  valueFiles: # in order\n  - "a.yaml" # first\n  - b.yaml\n  - c.yaml\n  ignoreMissingValueFiles: true\n'
  const { after } = await edited('web', text, {}, 'value-files[1]=d.yaml', 'value-files[3]=e.yaml')
  assert.equal(after, text.replace('- b.yaml', '- d.yaml').replace('- c.yaml\n', '- c.yaml\n  - e.yaml\n'))
  assert.equal((await edited('web', text, {}, 'value-files[1]-')).after, text.replace('  - b.yaml\n', ''))
})

for (const [word, error, message] of [
  ['skip-crds=yes', InvalidInputError, /^skip-crds: "yes" is neither true nor false/],
  ['value-files=a.yaml', InvalidInputError, /^value-files is a list; set an item of it/],
  ['file-parameters=a', InvalidInputError, /^file-parameters is a map/],
  ['values=- a', InvalidInputError, /^values: must be an object, not a list or a string/],
  ['values=a: [', InvalidInputError, /^values:\d: /],
  ['a..b=1', InvalidInputError, /^"a\.\.b" is not a name of a value/],
  ['a,b=1', InvalidInputError, /is not a name of a value/],
  ['=1', InvalidInputError, /is not a name of a value/],
  ['image.tag-', NotFoundError, /^image\.tag is not set by helm\.parameters; set there are: none/],
  ['release-name-', NotFoundError, /release-name is not set/],
] as const) {
  test(`${JSON.stringify(word)} is refused for a chart`, async () => {
    await assert.rejects(edited('web', '', {}, word), (thrown) => {
      assert.ok(thrown instanceof error)
      assert.match(thrown.message, message)
      return true
    })
  })
}

test('a whole list is set for an option and refused for a value of the chart', async () => {
  await using fixture = new RenderFixture(tools, files)
  const whole = { kind: 'array', items: ['more.yaml', 'values.yaml'] } as const
  const set = async (target: string): Promise<string> => {
    const changes = { assignments: [{ target, value: '', whole }], removals: [] }
    return (await editSource(fixture, testSource('web'), changes)).after
  }
  assert.equal(await set('value-files'), 'helm:\n  valueFiles:\n    - more.yaml\n    - values.yaml\n')
  await assert.rejects(set('image'), /^InvalidInputError: image: Helm takes no whole array; set its items/)
  await assert.rejects(set('release-name'), /release-name takes a single value/)
})

test('options of Kustomize are written as Argo CD has them', async () => {
  const { after, manifests } = await edited(
    'over',
    '',
    {},
    'name-prefix=a-',
    'namespace=1',
    'images.docker.io/nginx=cache/nginx:1.21',
    'images.redis=redis@sha256:abc',
    'replicas.web=3',
    'common-labels.app.kubernetes.io/part-of=on',
    'common-annotations.note=a: b',
  )
  assert.equal(
    after,
    `kustomize:
  namePrefix: a-
  namespace: "1"
  images:
    - docker.io/nginx=cache/nginx:1.21
    - redis=redis@sha256:abc
  replicas:
    - name: web
      count: 3
  commonLabels:
    app.kubernetes.io/part-of: "on"
  commonAnnotations:
    note: 'a: b'
`,
  )
  assert.match(
    manifests,
    /"image":"cache\/nginx:1.21".*"name":"a-web"|"name":"a-web".*"image":"cache\/nginx:1.21"/,
  )
  assert.match(manifests, /"app.kubernetes.io\/part-of":"on"/)
})

test('an image that is set keeps its way of being written until it changes', async () => {
  const text = `kustomize:
  images:
  - 'nginx:1.20' # web
  - redis=*:7
  commonLabels: {a: b, c: d}
  replicas:
  - {name: web, count: "2"}
`
  const changed = await edited(
    'over',
    text,
    {},
    'images.redis=redis:8',
    'common-labels.c=e',
    'replicas.web=4',
  )
  assert.equal(
    changed.after,
    text.replace('redis=*:7', 'redis=redis:8').replace('c: d', 'c: "e"').replace('"2"', '4'),
  )
  const removed = await edited('over', text, {}, 'images.nginx-', 'common-labels.a-', 'replicas-')
  assert.equal(removed.after, 'kustomize:\n  images:\n  - redis=*:7\n  commonLabels: {c: d}\n')
  const inline = { kustomize: { commonLabels: { a: '1', b: '2' } } }
  const nulled = await edited('over', '', inline, 'common-labels.a-')
  assert.equal(nulled.after, 'kustomize:\n  commonLabels:\n    a: null\n')
})

for (const [word, message] of [
  [
    'image.tag=x',
    /^unknown parameter "image\.tag"; expected one of name-prefix, name-suffix, namespace, images/,
  ],
  ['replicas.web=many', /^replicas of "web": "many" is not a count/],
  ['images.nginx=', /write name:tag/],
  ['images.a=b=c', /^image "a": "b=c" is not an image/],
] as const) {
  test(`${JSON.stringify(word)} is refused for Kustomize`, async () => {
    await assert.rejects(edited('over', '', {}, word), { name: 'InvalidInputError', message })
  })
}

test('more options than can be written at once are refused', async () => {
  const words = Array.from({ length: 201 }, (_, index) => `common-labels.l${index}=v`)
  await assert.rejects(edited('over', '', {}, ...words), /more than 200 options change at once/)
})
