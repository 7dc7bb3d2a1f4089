import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branchSlug } from './pull-request-slug.ts'

const slugs: [branch: string, slug: string][] = [
  ['main', 'main'],
  ['feature/Add_basket', 'feature-add-basket'],
  ['release/1.0', 'release-1-0'],
  ['--a__b--', 'a-b'],
  ['größe & „Höhe“', 'grosse-and-hohe'],
  ["it's@home", 'itsathome'],
  ['支付', ''],
  ['a'.repeat(60), 'a'.repeat(50)],
  [`${'a'.repeat(50)}-b`, 'a'.repeat(50)],
  [`${'a'.repeat(20)}-${'b'.repeat(40)}`, 'a'.repeat(20)],
  [
    'feature/this-is-a-very-long-branch-name-that-does-not-fit',
    'feature-this-is-a-very-long-branch-name-that-does',
  ],
]

for (const [branch, slug] of slugs) {
  test(`the slug of ${branch} is ${slug || 'empty'}`, () => {
    assert.equal(branchSlug(branch), slug)
  })
}
