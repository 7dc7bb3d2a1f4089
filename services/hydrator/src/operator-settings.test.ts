import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import {
  branchIsAllowed,
  type OperatorSettings,
  readOperatorSettings,
  settingsDigest,
} from './operator-settings.ts'
import { controlPlaneObject, startRunFixture } from './run/run-fixture.ts'

async function read(data?: Record<string, string>): Promise<OperatorSettings> {
  await using fixture = await startRunFixture()
  if (data) await fixture.add(controlPlaneObject('ConfigMap', 'argocd-cm', { data }))
  return await readOperatorSettings(fixture.store, true)
}

const defaults: OperatorSettings = {
  commitMessageTemplate: undefined,
  readmeTemplate: undefined,
  authorName: '',
  authorEmail: '',
  lineage: 'latest',
  prune: false,
  foreignChanges: 'report',
  otherInstallations: 'leave',
  branchPattern: '',
  pullRequests: {},
  error: '',
  isLeftToArgoCd: false,
}

test('without argocd-cm, with an empty one and with empty values the defaults apply', async () => {
  assert.deepEqual(await read(), defaults)
  assert.deepEqual(await read({}), defaults)
  const keys = ['commitMessageTemplate', 'readmeMessageTemplate', 'lineage', 'prune', 'branchPattern']
  const empty = Object.fromEntries(keys.map((key) => [`sourceHydrator.${key}`, '']))
  assert.deepEqual(await read(empty), defaults)
})

test("Applications are left to Argo CD's own hydrator where that is on, unless they are Wadi's all the same", async () => {
  await using fixture = await startRunFixture()
  const parameters = (enabled: string) =>
    controlPlaneObject('ConfigMap', 'argocd-cmd-params-cm', { data: { 'hydrator.enabled': enabled } })
  await fixture.add(parameters('true'))
  const left = await readOperatorSettings(fixture.store, true)
  assert.equal(left.isLeftToArgoCd, true)
  assert.match(
    left.error,
    /^Argo CD's own hydrator is on \(argocd-cmd-params-cm: hydrator\.enabled\) .* turn it off/,
  )
  assert.deepEqual(await readOperatorSettings(fixture.store, false), defaults)
  await mutate(fixture.store, 'ConfigMap', 'argocd', 'argocd-cmd-params-cm', (current) => ({
    ...current,
    data: { 'hydrator.enabled': 'false' },
  }))
  assert.deepEqual(await readOperatorSettings(fixture.store, true), defaults)
})

test('every key of argocd-cm is read', async () => {
  const settings = await read({
    'sourceHydrator.commitMessageTemplate': 'C',
    'sourceHydrator.readmeMessageTemplate': 'R',
    'commit.author.name': 'Bot',
    'commit.author.email': 'bot@example.com',
    'sourceHydrator.lineage': 'every',
    'sourceHydrator.prune': 'true',
    'sourceHydrator.branchPattern': 'env/*',
    'sourceHydrator.foreignChanges': 'restore',
    'sourceHydrator.otherInstallations': 'take',
    'sourceHydrator.pullRequests': 'merge',
    'sourceHydrator.pullRequests.labels': 'deploy, wadi',
  })
  assert.deepEqual(settings, {
    commitMessageTemplate: 'C',
    readmeTemplate: 'R',
    authorName: 'Bot',
    authorEmail: 'bot@example.com',
    lineage: 'every',
    prune: true,
    foreignChanges: 'restore',
    otherInstallations: 'take',
    branchPattern: 'env/*',
    pullRequests: { policy: 'merge', labels: ['deploy', 'wadi'] },
    error: '',
    isLeftToArgoCd: false,
  })
})

test('a value that is none of the possible ones is named with its key, and the default stands in for it', async () => {
  const settings = await read({
    'sourceHydrator.lineage': 'all',
    'sourceHydrator.prune': 'yes',
    'sourceHydrator.foreignChanges': 'ignore',
    'sourceHydrator.otherInstallations': 'fight',
    'sourceHydrator.branchPattern': 'env/[a',
    'sourceHydrator.pullRequests': 'always',
  })
  assert.deepEqual(settings, {
    ...defaults,
    // The careful one: a run that reports the error must not write over what it was to keep.
    foreignChanges: 'block',
    branchPattern: 'env/[a',
    error:
      'argocd-cm: sourceHydrator.lineage is "all"; give latest or every; ' +
      'argocd-cm: sourceHydrator.prune is "yes"; give "true" or "false"; ' +
      'argocd-cm: sourceHydrator.foreignChanges is "ignore"; give report, restore or block; ' +
      'argocd-cm: sourceHydrator.otherInstallations is "fight"; give leave or take; ' +
      'argocd-cm: sourceHydrator.branchPattern: pattern "env/[a" has a "[" class that is empty or not closed; ' +
      'argocd-cm: sourceHydrator.pullRequests is "always"; give none, open or merge',
  })
})

test('the branch pattern is a glob whose star stays inside one part of the name', () => {
  const cases: [string, string, boolean][] = [
    ['', 'anything', true],
    ['env/*', 'env/dev', true],
    ['env/*', 'env/dev/west', false],
    ['env/**', 'env/dev/west', true],
    ['env/*', 'xenv/dev', false],
    ['{env,stage}/*', 'stage/a', true],
    ['!main', 'main', false],
    ['!main', 'other', false],
    ['env/{1..3}', 'env/2', false],
    ['env-[!p]*', 'env-dev', true],
    ['env-[!p]*', 'env-prod', false],
    ['[[:alpha:]]*', 'env', false],
  ]
  for (const [branchPattern, branch, allowed] of cases) {
    assert.equal(
      branchIsAllowed({ ...defaults, branchPattern }, branch),
      allowed,
      `${branchPattern} ${branch}`,
    )
  }
})

test('the digest follows what makes a finished run out of date', () => {
  const digest = settingsDigest(defaults, 'helm v4')
  assert.equal(settingsDigest({ ...defaults, authorName: 'Bot' }, 'helm v4'), digest)
  const others = [
    settingsDigest(defaults, 'helm v5'),
    settingsDigest({ ...defaults, prune: true }, 'helm v4'),
    settingsDigest({ ...defaults, lineage: 'every' }, 'helm v4'),
    settingsDigest({ ...defaults, branchPattern: 'env/*' }, 'helm v4'),
  ]
  assert.equal(new Set([digest, ...others]).size, 5)
})
