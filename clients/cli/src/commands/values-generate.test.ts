import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { packageText, startPackageRepository } from '../values/zarf-package-fixture.ts'

const content = {
  'p/zarf.yaml': packageText('    import: {path: ../base}\n', ', schema: s.json'),
  'p/v.yaml': 'replicas: 2\nimage: {tag: "1.10"}\n',
  'p/s.json':
    '{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"replicas": {"maximum": 9}}}',
  'base/zarf.yaml':
    'kind: ZarfPackageConfig\nmetadata: {name: base}\nvalues: {files: [v.yaml]}\ncomponents: [{name: app}]\n',
  'base/v.yaml': 'image: {name: web, tag: old}\n',
}

const sample = 'image:\n  name: web\n  tag: "1.10"\nreplicas: 2\n'

test('the sample is what a package and its imports set by default', async () => {
  await using repository = await startPackageRepository(content)
  const { stdout, stderr, code } = await repository.values('generate', 'p')
  assert.deepEqual([stdout, stderr, code], [sample, '', 0])
})

test('a file is written once, and again only by force', async () => {
  await using repository = await startPackageRepository({ ...content, 'kept.yaml': 'mine: true\n' })
  const written = await repository.values('generate', 'p', '--output', 'new.yaml')
  assert.deepEqual([written.stdout, written.code], ['', 0])
  assert.equal(await readFile(join(repository.root, 'new.yaml'), 'utf8'), sample)

  const refused = await repository.values('generate', 'p', '--output', 'kept.yaml')
  assert.match(refused.stderr, /kept\.yaml exists: use --force to overwrite it/)
  assert.equal(refused.code, 20)
  assert.equal(await readFile(join(repository.root, 'kept.yaml'), 'utf8'), 'mine: true\n')

  const forced = await repository.values('generate', 'p', '--output', 'kept.yaml', '--force')
  assert.equal(forced.code, 0)
  assert.equal(await readFile(join(repository.root, 'kept.yaml'), 'utf8'), sample)
})

test('a package with errors leaves the file of before', async () => {
  await using repository = await startPackageRepository({
    ...content,
    'p/v.yaml': 'a: [',
    'kept.yaml': 'mine: true\n',
  })
  const { stderr, code } = await repository.values('generate', 'p', '--output', 'kept.yaml', '--force')
  assert.match(stderr, /p\/v\.yaml:1:/)
  assert.equal(code, 20)
  assert.equal(await readFile(join(repository.root, 'kept.yaml'), 'utf8'), 'mine: true\n')
})

test('the schema has what is written and the types of the defaults', async () => {
  await using repository = await startPackageRepository(content)
  const { stdout, code } = await repository.values('schema', 'p')
  assert.deepEqual(JSON.parse(stdout), {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      replicas: { maximum: 9, type: 'number' },
      image: { type: 'object', properties: { name: { type: 'string' }, tag: { type: 'string' } } },
    },
  })
  assert.equal(code, 0)
})
