import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatedAmong, repeatedWarnings } from './repeated-objects.ts'

const names = ['argocd/a', 'argocd/b', 'argocd/c', 'argocd/d', 'argocd/e']
const advice =
  'so in the cluster each replaces what the other made: give them other names or namespaces (of a chart, helm.releaseName)'

test('each Application has the objects that others make, and the others', () => {
  const warnings = repeatedWarnings([
    { objects: ['Secret web/a'], count: 1, applications: names.slice(0, 2), applicationCount: 2 },
    { objects: ['A a', 'B b', 'C c', 'D d'], count: 9, applications: names, applicationCount: 7 },
  ])
  assert.deepEqual(warnings.get('argocd/a'), [
    `Secret web/a is also made by argocd/b, ${advice}`,
    `A a, B b, C c and 6 more are also made by argocd/b, argocd/c, argocd/d and 3 more, ${advice}`,
  ])
  assert.deepEqual(warnings.get('argocd/e'), [
    `A a, B b, C c and 6 more are also made by argocd/a, argocd/b, argocd/c and 3 more, ${advice}`,
  ])
  assert.equal(warnings.get('argocd/f'), undefined)
})

test('what only one Application is left to make is not repeated', () => {
  const repeated = [
    { objects: ['A a'], count: 1, applications: names.slice(0, 2), applicationCount: 2 },
    { objects: ['B b'], count: 1, applications: names, applicationCount: 6 },
  ]
  assert.deepEqual(
    repeatedAmong(repeated, (name) => name !== 'argocd/b'),
    [
      {
        objects: ['B b'],
        count: 1,
        applications: ['argocd/a', 'argocd/c', 'argocd/d', 'argocd/e'],
        applicationCount: 5,
      },
    ],
  )
})
