import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveRepository } from '../routes/served-repository-fixture.ts'

const served = await serveRepository('hydrator')
after(() => served[Symbol.asyncDispose]())
const { client, repoUrl } = served
const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {size: "{{ .Values.size }}"}\n',
  'secret.yaml': 'size: 666\n',
}
const sha = await served.commit(chart)
const verification = { revision: '', policies: [] }
const reference = (at: string) => ({ ref: 'values', repoUrl, sha: at, verification })

async function inspect(referenced: object[], file = '$values/prod.yaml') {
  const optionsJson = JSON.stringify({ helm: { valueFiles: [file] } })
  const sources = [{ path: 'web', applicationName: 'web', optionsJson, field: 'drySources[1]' }]
  const request = { repoUrl, sha, verification, sources, referenced }
  const { inspections } = await client.inspectSources(request)
  return inspections[0]
}

test('the commit of a referenced source needs its signatures like every other, and a request must say which', async () => {
  const values = await served.commit({ 'prod.yaml': 'size: 2\n' })
  assert.equal((await inspect([reference(values)]))?.error, '')
  const { verification: _verification, ...unsaid } = reference(values)
  await assert.rejects(inspect([unsaid]), { name: 'InvalidInputError', message: /^verification is required/ })
  const policies = [{ project: 'web', mode: 'head' }]
  const strict = await inspect([{ ...reference(values), verification: { revision: 'main', policies } }])
  assert.match(strict?.error ?? '', /is not signed/)
})

test('the files of a referenced source are those of its own commit, and decide the fingerprint', async () => {
  const two = await served.commit({ 'prod.yaml': 'size: 2\n' })
  const three = await served.commit({ 'prod.yaml': 'size: 3\n' })
  const [first, second, again] = [
    await inspect([reference(two)]),
    await inspect([reference(three)]),
    await inspect([reference(two)]),
  ]
  assert.notEqual(first?.fingerprint, second?.fingerprint)
  assert.equal(first?.fingerprint, again?.fingerprint)
})

test('links and paths do not lead out of a referenced source', async () => {
  const values = await served.commit({ 'envs/x.yaml': '' }, { 'envs/prod.yaml': '../../secret.yaml' })
  const linked = await inspect([reference(values)], '$values/envs/prod.yaml')
  assert.match(
    linked?.error ?? '',
    /symlink ".*envs\/prod\.yaml" to "\.\.\/\.\.\/secret\.yaml" leads outside/,
  )
  const climbing = await inspect([reference(values)], '$values/../secret.yaml')
  assert.match(climbing?.error ?? '', /leads outside the repository/)
})

test('names of referenced sources are bounded, and each is another one', async () => {
  const one = reference(sha)
  for (const ref of ['', '../x', 'a/b', '$a', 'x'.repeat(101)]) {
    await assert.rejects(inspect([{ ...one, ref }]), { message: /must be a name that no other source has/ })
  }
  await assert.rejects(inspect([one, one]), { message: /must be a name that no other source has/ })
  const many = Array.from({ length: 21 }, (_, index) => ({ ...one, ref: `r${index}` }))
  await assert.rejects(inspect(many), { message: /21 referenced sources are more than 20/ })
})

test('of a list of sources those are looked at again that read what changed in the referenced source', async () => {
  const optionsOf = (file: string) => JSON.stringify({ helm: { valueFiles: [`$values/${file}`] } })
  const sources = ['envs/one.yaml', 'envs/two.yaml', 'later.yaml'].map((file) => ({
    path: 'web',
    applicationName: 'web',
    optionsJson: optionsOf(file),
    field: 'drySources[1]',
  }))
  const list = { repoUrl, sha, verification, sourcesDigest: 'of these three' }
  const valuesOf = (one: string, two: string, more: Record<string, string> = {}) =>
    served.commit({ 'envs/one.yaml': `size: ${one}\n`, 'envs/two.yaml': `size: ${two}\n`, ...more })
  const first = await client.inspectSources({
    ...list,
    sources,
    referenced: [reference(await valuesOf('1', '1'))],
  })
  assert.deepEqual([first.inspections.length, first.position !== ''], [3, true])
  let { position } = first
  let known = first.inspections
  for (const [at, changed] of [
    [await valuesOf('1', '2'), ['1']],
    [await valuesOf('1', '2', { 'README.md': 'text' }), []],
    [await valuesOf('3', '2', { 'later.yaml': 'size: 9\n' }), ['0', '2']],
  ] as const) {
    const referenced = [reference(at)]
    const answer = await client.inspectSources({ ...list, referenced, since: position })
    const { inspections: changes = {} } = answer.changes ?? {}
    // What has an error is looked at each time, and is what it was.
    assert.deepEqual(Object.keys(changes), changed)
    known = known.map((before, index) => changes[index] ?? before)
    assert.deepEqual(
      known,
      (await client.inspectSources({ repoUrl, sha, verification, sources, referenced })).inspections,
    )
    position = answer.position
  }
  const elsewhere = { ...reference(sha), ref: 'others' }
  assert.equal(
    (await client.inspectSources({ ...list, referenced: [elsewhere], since: position })).position,
    '',
  )
})
