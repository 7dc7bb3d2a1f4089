import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSettled } from '../gateway-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

test('a chart that never renders alike is warned of and makes no commit for each dry commit; strict settings refuse it', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const repository = await fixture.createRepository('chance', {
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/templates/a.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData: {password: "{{ randAlphaNum 20 }}"}\n',
    'README.md': '0',
  })
  const branch = 'environments/chance'
  await fixture.applyAndWait(await repository.dry.head(), { name: 'web', repoURL: repository.url, branch })
  const commits = await repository.commits(branch)
  const warning =
    /renders differ in Secret web: stringData\.password \(randAlphaNum in web\/templates\/a\.yaml:4\)/
  for (let round = 1; round <= 3; round++) {
    const sha = await repository.push({ 'README.md': String(round) })
    await fixture.hydrateTo(sha, 'web')
    const { application } = await fixture.gateway.applications.getApplication({ name: 'web' })
    assert.match(JSON.stringify(application), warning)
    assert.equal(await repository.note(branch), `{"drySha":"${sha}"}\n`)
  }
  assert.deepEqual(await repository.commits(branch), commits)

  await repository.push({ 'wadi.yaml': 'determinism: strict\n', 'web/values.yaml': 'a: 1\n' })
  await fixture.gateway.applications.hydrateApplication({ name: 'web' })
  const { currentOperation } = await fixture.waitFor('web', isSettled)
  assert.equal(currentOperation?.phase, 'Failed')
  assert.match(currentOperation.message, warning)
  assert.deepEqual(await repository.commits(branch), commits)

  const fixed = await repository.push({
    'web/templates/a.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData: {password: fixed}\n',
  })
  await fixture.hydrateTo(fixed, 'web')
  assert.equal((await repository.commits(branch)).length, commits.length + 1)
})
