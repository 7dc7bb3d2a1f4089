import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { hydratedSpec } from './hydrated-spec.ts'
import { hydratedText } from './hydrated-text.ts'
import { objectPlaces } from './object-places.ts'

const head = 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: web\nspec:\n'
const syncSource = { targetBranch: 'environments/prod', path: 'web' }
const release = { position: 0, path: ['helm', 'releaseName'], value: 'web' }

/** Moves the object at an index of a text, and checks that the text says what was wanted. */
function moved(text: string, { index = 0, changes = [release] } = {}): string {
  const place = objectPlaces(text)[index]
  assert.ok(place)
  const after = hydratedText(text, { place, specPath: ['spec'], changes, syncSource })
  const [old, next] = [text, after].map((of) => parseManifests(of, { file: 'web.yaml' }))
  const object = old?.[index]
  assert.ok(object)
  const spec = object['spec'] as Parameters<typeof hydratedSpec>[0]
  assert.deepEqual(next?.[index], { ...object, spec: hydratedSpec(spec, changes, syncSource) })
  assert.deepEqual(next?.toSpliced(index, 1), old?.toSpliced(index, 1))
  return after
}

test('a source moves down with its comments, and all else keeps its bytes', () => {
  const text = `# the shop
${head}  project: "default" # ours

  # where it comes from
  source: # dry
    repoURL: https://git.example.com/shop.git   # the shop
    path: web
    helm:
      values: |
        a: 1

          b

      # for now
      parameters:
      - {name: replicas, value: "2"}
    # targetRevision: v1
  # who gets it
  destination: {name: prod}
`
  const after = moved(text, {
    changes: [release, { position: 0, path: ['targetRevision'], value: 'HEAD' }],
  })
  assert.equal(
    after,
    `# the shop
${head}  project: "default" # ours

  # where it comes from
  sourceHydrator:
    drySource: # dry
      repoURL: https://git.example.com/shop.git   # the shop
      path: web
      helm:
        values: |
          a: 1

            b

        # for now
        parameters:
        - {name: replicas, value: "2"}
        releaseName: web
      targetRevision: HEAD
      # targetRevision: v1
    syncSource:
      targetBranch: environments/prod
      path: web
  # who gets it
  destination: {name: prod}
`,
  )
})

test('sources become dry sources, and one alone becomes the dry source', () => {
  const several = `${head}  sources:
  - repoURL: https://git.example.com/values.git # first
    ref: values
  - repoURL: https://charts.example.com
    chart: web
    targetRevision: 1.0.0
`
  assert.match(
    moved(several, { changes: [{ ...release, position: 1 }] }),
    /  sourceHydrator:\n    drySources:\n    - repoURL: \S+ # first\n      ref: values\n    - repoURL: \S+\n      chart: web\n      targetRevision: 1.0.0\n      helm:\n        releaseName: web\n    syncSource:/,
  )
  const one = `${head}  sources:\n    - path: web\n      repoURL: https://git.example.com/shop.git\n  project: default\n`
  assert.match(moved(one), /    drySource:\n        path: web\n        repoURL: \S+\n        helm:\n/)
  assert.match(
    moved(`${head}  sources: [{path: web}] # all\n`),
    /    drySource: \{path: web, "helm": \{"releaseName":"web"\}\} # all\n    syncSource:/,
  )
})

test('fields of a source and of a map at its end come to their own places', () => {
  const text = `${head}  sources:\n    - ref: values\n    - path: web\n      helm:\n        valueFiles:\n          - a.yaml`
  const changes = [
    { position: 0, path: ['targetRevision'], value: 'HEAD' },
    { position: 1, path: ['targetRevision'], value: 'HEAD' },
    { ...release, position: 1 },
  ]
  assert.match(
    moved(text, { changes }),
    /- a\.yaml\n {10}releaseName: web\n {8}targetRevision: HEAD\n {4}syncSource:/,
  )
})

test('JSON stays JSON, laid out as it was', () => {
  const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'web' } }
  const spec = { source: { repoURL: 'https://git.example.com/shop.git', path: 'web' }, project: 'default' }
  const text = `${JSON.stringify({ ...object, spec }, undefined, 2)}\n`
  const wanted = hydratedSpec(spec, [], syncSource)
  const after = moved(text, { changes: [] })
  assert.deepEqual(JSON.parse(after), { ...object, spec: wanted })
  assert.match(
    after,
    /\n {6}"drySource": \{\n {8}"repoURL": .*\n {8}"path": "web"\n {6}\},\n {6}"syncSource": \{\n/,
  )
  assert.doesNotThrow(() => JSON.parse(moved(JSON.stringify({ ...object, spec }))))
})

test('one object of several documents or of a list changes', () => {
  const one = `${head}  source: {path: a}\n`
  const text = `---\n${one}---\n# second\n${one}`
  assert.ok(moved(text, { index: 1 }).startsWith(`---\n${one}---\n# second\n`))
  const list = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n- ${one.replaceAll('\n', '\n  ')}\n`
  const [place] = objectPlaces(list)
  assert.deepEqual(place && { ...place }, { document: 0, item: 1, line: 9 })
  assert.ok(place)
  const after = hydratedText(list, { place, specPath: ['spec'], changes: [], syncSource })
  assert.match(after, /\n    sourceHydrator:\n      drySource: \{path: a\}\n      syncSource:\n/)
})

test('the line ends of a file stay, and a last one comes where it was missing', () => {
  const text = `${head}  source:\n    path: web`.replaceAll('\n', '\r\n')
  const after = moved(text)
  assert.equal(after.replaceAll('\r\n', '').includes('\n'), false)
  assert.ok(after.endsWith('      path: web\r\n'))
})

test('what an anchor or merge key decides is an error', () => {
  const alias = `${head}  source: *web\n`
  assert.throws(() => moved(`x: &web {path: web}\n---\n${alias}`, { index: 0 }))
  const [place] = objectPlaces(alias)
  assert.ok(place)
  assert.throws(
    () => hydratedText(alias, { place, specPath: ['spec'], changes: [release], syncSource }),
    /its source is an alias; write it out/,
  )
})
