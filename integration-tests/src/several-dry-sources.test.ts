import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { configMap } from './application-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { meshOfFile } from './mesh-fixture.ts'
import type { RepositoryFixture } from './repository-fixture.ts'

const mesh = await meshOfFile()

/** Commits and pushes to `main` as of a moment. */
async function pushAt(
  repository: RepositoryFixture,
  moment: string,
  files: Record<string, string>,
  message: string,
): Promise<string> {
  await repository.push(files, message)
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, GIT_COMMITTER_DATE: moment }
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
  const amend = [...identity, '-C', repository.dry.directory, 'commit', '--amend', '--no-edit', '--quiet']
  await promisify(execFile)('git', amend, { env })
  const sha = await repository.dry.head()
  await repository.dry.git.push([repository.directory, 'HEAD:main', '--force'])
  return sha
}

interface Note {
  drySha: string
  dryCommits?: { repoURL: string; targetRevision: string; drySha: string }[]
}

test('on a branch that two dry revisions feed, note and root metadata name each, and the newest first', async () => {
  const { fixture } = mesh
  const files = { 'east/a.yaml': configMap('east', '1'), 'west/a.yaml': configMap('west', '1') }
  const repository = await fixture.createRepository('sources', files)
  const old = await repository.dry.head()
  await repository.pointBranch('stable', old)
  const place = { repoURL: repository.url, branch: 'environments/both' }
  const newer = await pushAt(
    repository,
    '2030-01-01T00:00:00Z',
    { 'east/a.yaml': configMap('east', '2') },
    'Newer',
  )
  await fixture.apply({ ...place, name: 'east' })
  await fixture.apply({ ...place, name: 'west', revision: 'stable' })
  await fixture.waitFor('east', isHydratedAt(newer))
  await fixture.waitFor('west', isHydratedAt(old))
  const both = [
    { repoURL: repository.url, targetRevision: 'main', drySha: newer },
    { repoURL: repository.url, targetRevision: 'stable', drySha: old },
  ]
  const held = async (): Promise<Note[]> => [
    JSON.parse(await repository.note(place.branch)) as Note,
    JSON.parse(await repository.read(place.branch, 'hydrator.metadata')) as Note,
  ]
  for (const { drySha, dryCommits } of await held()) {
    assert.equal(drySha, newer)
    assert.deepEqual(dryCommits, both)
  }
  const head = await repository.head(place.branch)
  await fixture.hydrate('west', { hard: true })
  await fixture.hydrate('east')
  assert.equal(await repository.head(place.branch), head)
  assert.equal((await held())[0]?.drySha, newer)
  const { branches } = await fixture.gateway.applications.getApplication({ name: 'west' })
  assert.equal(branches?.syncDrySha, old)

  // The older source moves to a commit of its own that is older than the newest of the other.
  const fix = await pushAt(
    repository,
    '2029-01-01T00:00:00Z',
    { 'west/a.yaml': configMap('west', '2') },
    'Fix',
  )
  await repository.pointBranch('main', newer)
  await repository.pointBranch('stable', fix)
  await fixture.hydrateTo(fix, 'west')
  for (const { drySha, dryCommits } of await held()) {
    assert.equal(drySha, newer)
    assert.deepEqual(
      dryCommits?.map((commit) => commit.drySha),
      [newer, fix],
    )
  }
  const subject = await repository.commitField(place.branch, '%s')
  assert.equal(subject, `${fix.slice(0, 7)}: Fix`)
})
