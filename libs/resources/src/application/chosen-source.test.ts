import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenPosition, renderedSourcesText } from './chosen-source.ts'
import type { DrySource } from './dry-sources.ts'

const source = (parts: Partial<DrySource>): DrySource => ({
  repoURL: 'https://git.example.com/deploy.git',
  targetRevision: 'main',
  path: '',
  ...parts,
})
const values = source({ ref: 'values', name: 'values' })
const web = source({ path: 'web', name: 'web' })
const database = source({ chart: 'postgres' })
const twin = source({ path: 'twin', name: 'web' })
const sources = (...drySources: DrySource[]) => ({ drySource: values, drySources })

test('a source is the first with manifests, or the one of a position from 1 or of a name', () => {
  const listed = sources(values, web, database)
  const at = (sourcePosition: number, sourceName = '') =>
    chosenPosition(listed, { sourcePosition, sourceName })
  assert.deepEqual([at(0), at(2), at(3), at(0, 'web')], [1, 1, 2, 1])
  assert.equal(chosenPosition({ drySource: web }, { sourcePosition: 1, sourceName: '' }), 0)
  assert.equal(renderedSourcesText(listed), '2 ("web", web), 3 (postgres)')
})

for (const [title, choice, message] of [
  [
    'a position that is not there',
    { sourcePosition: 5, sourceName: '' },
    /^no dry source with manifests has position 5; those with manifests are 2 /,
  ],
  ['a negative position', { sourcePosition: -1, sourceName: '' }, /has position -1/],
  [
    'a source that only gives files',
    { sourcePosition: 0, sourceName: 'values' },
    /no dry source with manifests has the name "values"/,
  ],
  [
    'a name that two have',
    { sourcePosition: 0, sourceName: 'web' },
    /several dry sources have the name "web"/,
  ],
  ['both', { sourcePosition: 2, sourceName: 'web' }, /by its position or by its name, not by both/],
] as const) {
  test(`${title} is an error`, () => {
    assert.throws(() => chosenPosition(sources(values, web, twin), choice), {
      name: 'InvalidInputError',
      message,
    })
  })
}
