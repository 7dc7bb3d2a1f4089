import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PermissionDeniedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { parseRepositoryUrl } from '@wadi/git/remote/repository-url.ts'
import { tryRepositories } from './try-repositories.ts'

test('what is said to fix a repository follows from the reason', async () => {
  const urls = ['file:///srv/deploy.git', 'https://git.example.com/a.git', 'git@git.example.com:b.git']
  const repositories = urls.map((repoUrl) => ({ repoUrl, project: '', deployedBranches: [] }))
  const found = await tryRepositories(
    repositories,
    { verb: 'read', write: false },
    async ({ repoUrl }) => {
      const { transport } = parseRepositoryUrl(repoUrl, { allowFile: false, allowPlainHttp: 'never' })
      throw transport === 'ssh' ? new PermissionDeniedError('no') : new UnavailableError('away')
    },
    new AbortController().signal,
  )
  assert.deepEqual(
    found.map(({ remedy }) => remedy),
    [
      'change the URL, or the setting that permits it',
      'git ls-remote https://git.example.com/a.git, on the machine of repo-server, shows whether it is reached',
      'wadi repo add git@git.example.com:b.git --ssh-private-key-path FILE --upsert',
    ],
  )
})
