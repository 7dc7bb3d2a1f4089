import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { usersMeshOfFile } from '../access/users-fixture.ts'
import { rejectionOf, setObject } from './set-fixture.ts'

const mesh = await usersMeshOfFile()
const ann = await mesh.connectAs('ann')
const bombs = Array.from({ length: 12 }, (_, index) => {
  const aliases = Array.from({ length: 10 }, () => `*a${index}`).join(', ')
  return `a${index + 1}: &a${index + 1} [${aliases}]`
})
const repository = await mesh.fixture.createRepository('web-large', {
  'million.json': JSON.stringify(Array.from({ length: 1_000_000 }, () => ({}))),
  'many.json': JSON.stringify(Array.from({ length: 300_000 }, () => ({}))),
  'huge.json': ' '.repeat(16 * 1024 ** 2),
  'aliases.yaml': ['a0: &a0 x', ...bombs].join('\n'),
  'deep.json': `${'['.repeat(400_000)}${']'.repeat(400_000)}`,
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `wide/${index}.json`,
      JSON.stringify({ text: 'x'.repeat(900_000) }),
    ]),
  ),
})

function file(path: string): JsonObject {
  return { git: { repoURL: repository.url, revision: 'main', files: [{ path }] } }
}

/** A generator of 300 elements with one key. */
const many = (key: string): JsonObject => ({
  list: { elements: Array.from({ length: 300 }, (_, index) => ({ [key]: `x${index}` })) },
})

const inputs: [string, () => JsonObject, RegExp][] = [
  ['a file of a million objects', () => file('million.json'), /million\.json/],
  ['a file of 300,000 objects', () => file('many.json'), /many\.json|10000|10,000/],
  ['a file of 16 MiB', () => file('huge.json'), /huge\.json/],
  ['a file of aliases that grow', () => file('aliases.yaml'), /aliases\.yaml/],
  ['a file that nests 400,000 deep', () => file('deep.json'), /deep\.json/],
  ['files of 36 MB together', () => file('wide/*.json'), /./],
  ['a matrix of 27 million', () => ({ matrix: { generators: ['name', 'b', 'c'].map(many) } }), /matrix/],
]
for (const [what, generator, named] of inputs) {
  test(`${what} is refused by its name before the time of a run is over, and the service goes on`, async () => {
    const applicationSet = setObject({ generators: [generator()] })
    const rejection =
      (await rejectionOf(ann.applicationSets.generateApplications({ applicationSet }))) ?? 'answered'
    assert.match(rejection, /^(ResourceExhausted|InvalidArgument|FailedPrecondition): /)
    assert.match(rejection, named)
    assert.ok(rejection.length < 5_000, `a message of ${rejection.length} characters`)
    const one = setObject({ generators: [{ list: { elements: [{ name: 'web-1' }] } }] })
    const { applications } = await ann.applicationSets.generateApplications({ applicationSet: one })
    assert.equal(applications.length, 1)
  })
}
