import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutateStatus } from '@wadi/resources/store/resource-store.ts'
import { application, startRunFixture } from './run/run-fixture.ts'
import { settingsOfBranch } from './left-to-argo-cd.ts'
import { readOperatorSettings } from './operator-settings.ts'

const yields = { operations: true, yieldsToArgoCd: true }

/** In the future, as the store says itself when it creates an Application. */
const soon = Date.now() + 60_000
const now = soon + 60_000

async function startFixture(startedAtMs = soon) {
  const startedAt = new Date(startedAtMs).toISOString()
  const fixture = await startRunFixture()
  const hydrated = application('a')
  hydrated.metadata['managedFields'] = [{ manager: 'argocd-application-controller' }]
  await fixture.add(hydrated, application('b'))
  await mutateStatus(fixture.store, 'Application', 'argocd', 'a', (current) => ({
    ...current,
    status: { sourceHydrator: { currentOperation: { startedAt } } },
  }))
  await fixture.reload()
  return { fixture, settings: await readOperatorSettings(fixture.store, true) }
}

test('a branch with an Application that somebody else hydrated lately is left to him, with what to do', async () => {
  const { fixture, settings } = await startFixture()
  await using _ = fixture
  const { isLeftToArgoCd, error } = settingsOfBranch(settings, fixture.members(), yields, now)
  assert.equal(isLeftToArgoCd, true)
  assert.match(
    error,
    /^Application argocd\/a was hydrated by argocd-application-controller .* set WADI_WRITE_STATUS=always/,
  )
})

test('ten minutes after the last foreign hydration, or if somebody asks Wadi to, the branch is hydrated', async () => {
  const { fixture, settings } = await startFixture()
  await using _ = fixture
  const members = fixture.members()
  assert.equal(settingsOfBranch(settings, members, yields, now + 600_000), settings)
  assert.equal(settingsOfBranch(settings, members, { ...yields, yieldsToArgoCd: false }, now), settings)
  const own = members.filter(({ name }) => name === 'argocd/b')
  assert.equal(settingsOfBranch(settings, own, yields, now), settings)
})

test('an operation that came with an Application from a backup is not one of somebody who works here', async () => {
  const { fixture, settings } = await startFixture(soon - 120_000)
  await using _ = fixture
  assert.equal(settingsOfBranch(settings, fixture.members(), yields, now), settings)
})
