import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { PluginVariable } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { openRepositories, secretObject } from '@wadi/repositories/repository-fixture.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { gitVariables } from './git-variables.ts'

const policy = { allowFile: false, allowPlainHttp: 'loopback' } as const
const { signal } = new AbortController()

/** Returns the output of git with nothing but these variables. */
async function listRemote(url: string, variables: readonly PluginVariable[]): Promise<string> {
  const given = Object.fromEntries(variables.map(({ name, value }) => [name, value]))
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_TERMINAL_PROMPT: '0', ...given }
  try {
    await promisify(execFile)('git', ['ls-remote', url], { env })
    return 'allowed'
  } catch (error) {
    return String(error).includes('could not read Username') ? 'refused' : String(error)
  }
}

test('a plugin can read the repository that it renders from, and no other one on the server', async () => {
  await using server = await startGitHttpServer({ users: { wadi: 'pass' } })
  const own = await server.createRepository('own.git')
  const other = await server.createRepository('other.git')
  await using fixture = await openRepositories()
  await fixture.repositories.put(
    secretObject('server', { url: server.url, username: 'wadi', password: 'pass' }, 'repo-creds'),
  )
  const variables = await gitVariables(
    fixture.repositories,
    policy,
    { repoUrl: own.url, project: 'default' },
    signal,
  )
  assert.equal(await listRemote(own.url, []), 'refused')
  assert.equal(await listRemote(own.url, variables), 'allowed')
  assert.equal(await listRemote(other.url, variables), 'refused')
})

test('a repository without a password, another project and a repository over SSH give no variables', async () => {
  await using fixture = await openRepositories()
  const variables = (repoUrl: string, project: string) =>
    gitVariables(fixture.repositories, policy, { repoUrl, project }, signal)
  const https = 'https://git.example.com/team/apps.git'
  const ssh = 'git@git.example.com:team/apps.git'
  assert.deepEqual(await variables(https, 'default'), [])
  await fixture.repositories.put(secretObject('ours', { url: https, password: 'secret', project: 'ours' }))
  await fixture.repositories.put(secretObject('key', { url: ssh, sshPrivateKey: 'key' }))
  assert.deepEqual(await variables(https, 'default'), [])
  assert.deepEqual(await variables(ssh, 'default'), [])
  assert.equal((await variables(https, 'ours')).length, 4)
})
