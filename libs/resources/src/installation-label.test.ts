import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { installationSelector, withInstallation } from './installation-label.ts'
import { parseLabelSelector } from './label-selector.ts'

const labelled = (labels?: Record<string, string>) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', ...(labels && { labels }) },
})

test('each object belongs to one installation: that of its label, or without one that without a name', () => {
  const selects = (name: string, labels?: Record<string, string>) =>
    parseLabelSelector(installationSelector(name))(labels)
  assert.deepEqual(
    ['', 'blue', 'green'].map((name) => [
      selects(name),
      selects(name, { 'wadi.dev/installation': 'blue' }),
      selects(name, { 'wadi.dev/installation': '' }),
    ]),
    [
      [true, false, false],
      [false, true, false],
      [false, false, false],
    ],
  )
})

test('a name that no label can have is rejected, so that nothing else is selected by it', () => {
  for (const name of ['a b', '-a', 'a,b!=c', 'a'.repeat(64), 'ä']) {
    assert.throws(() => installationSelector(name), InvalidInputError)
  }
})

test('an object gets the label of the installation beside its own, and one of another is rejected', () => {
  const label = 'wadi.dev/installation'
  assert.deepEqual(
    withInstallation(labelled({ team: 'a' }), 'blue'),
    labelled({ team: 'a', [label]: 'blue' }),
  )
  assert.deepEqual(withInstallation(labelled(), ''), labelled())
  const blue = labelled({ [label]: 'blue' })
  assert.equal(withInstallation(blue, 'blue'), blue)
  assert.throws(
    () => withInstallation(blue, 'green'),
    /^InvalidInputError: Application web: label wadi\.dev\/installation is "blue", and this is installation "green"; leave/,
  )
  assert.throws(() => withInstallation(blue, ''), /this is the installation without a name/)
})
