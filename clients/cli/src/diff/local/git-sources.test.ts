import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { GitSources } from './git-sources.ts'

test('many revisions of one repository are fetched side by side, also after a command that was killed', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-git-sources-'))
  await using server = await startGitHttpServer()
  await server.createRepository('charts.git')
  const repoURL = `${server.url}/charts.git`
  const repository = await createRepository(join(scratch.path, 'charts'))
  const revisions = ['v1', 'v2', 'v3', 'v4', 'v5']
  const commits = new Map<string, string>()
  for (const revision of revisions) {
    commits.set(revision, await repository.commitFiles({ 'version.txt': revision }, revision))
    await repository.git.raw(['tag', revision])
  }
  await repository.git.raw(['push', '--quiet', '--tags', repoURL, 'HEAD:refs/heads/main'])

  const kept = join(scratch.path, 'cache/repositories', `${hash('sha256', repoURL)}.git`)
  await mkdir(kept, { recursive: true })
  await writeFile(join(kept, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(join(kept, 'shallow.lock'), '')

  await using one = new GitSources(join(scratch.path, 'cache'), process.env)
  await using other = new GitSources(join(scratch.path, 'cache'), process.env)
  const { signal } = new AbortController()
  const found = await Promise.all(
    [one, other].flatMap((sources) =>
      revisions.map(async (targetRevision) => {
        const { sha } = await sources.files({ repoURL, targetRevision, path: '.' }, signal)
        return [targetRevision, sha] as const
      }),
    ),
  )
  assert.deepEqual(found, [...commits, ...commits])
})
