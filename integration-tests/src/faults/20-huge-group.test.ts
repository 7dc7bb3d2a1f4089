import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

const applications = 24
const mebibyte = 1024 ** 2

test('a group whose manifests are larger than any message lands as one commit', async () => {
  const { fixture } = mesh
  const names = Array.from({ length: applications }, (_, index) => `huge-${index}`)
  const files = Object.fromEntries(
    names.map((name) => [`${name}/a.yaml`, configMap(name, 'x'.repeat(mebibyte))]),
  )
  const repository = await fixture.createRepository('huge', files)
  const branch = 'environments/huge'
  const drySha = await repository.dry.head()
  await Promise.all(names.map((name) => fixture.apply({ name, repoURL: repository.url, branch })))
  await fixture.hydrateTo(drySha, 'huge-0')
  for (const name of names)
    assert.ok((await repository.read(branch, `${name}/manifest.yaml`)).length > mebibyte)
})

test('an application above the limit is refused with the limit, and lands nothing', async () => {
  const { fixture } = mesh
  const text = configMap('large', 'x'.repeat(11 * mebibyte))
  const repository = await fixture.createRepository('large', { 'large/a.yaml': text })
  const branch = 'environments/large'
  const message = await fixture.applyAndFail({ name: 'large', repoURL: repository.url, branch })
  assert.match(message, /large/)
  assert.match(message, /10485760 bytes|10 MiB/)
  assert.equal(await repository.head(branch), '')
})
