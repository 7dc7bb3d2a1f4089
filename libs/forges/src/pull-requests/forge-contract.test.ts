import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { giteaProgram } from '@wadi/testing/gitea/gitea-program.ts'
import { type RealGitea, startRealGitea } from '@wadi/testing/gitea/real-gitea.ts'
import { goProgramMissing } from '@wadi/testing/go-program.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { apiBase } from '../forge-address.ts'
import { forgeApi } from '../forge-api.ts'
import { ForgeClient } from '../forge-client.ts'
import { generatorWords } from '../forge-failure.ts'
import { gitea } from '../gitea/gitea-forge.ts'
import { type ContractForge, forgeContract } from './forge-contract-fixture.ts'
import { openStandIn } from './opened-forge-fixture.ts'

for (const name of ['github', 'gitea', 'gitlab']) {
  forgeContract(`the stand-in of ${name}`, () => openedStandIn(name), false)
}

async function openedStandIn(name: string): Promise<ContractForge> {
  const { forge, server, [Symbol.asyncDispose]: dispose } = await openStandIn(name)
  const { directory, git } = server.state
  const commit = async (branch: string): Promise<string> => {
    const ref = `refs/heads/${branch}`
    const identity = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com']
    const parent = await git.head(branch)
    const args = [...identity, 'commit-tree', `${parent}^{tree}`, '-p', parent, '-m', 'Another change']
    const made = (await runTestGit(directory, args)).trim()
    await runTestGit(directory, ['update-ref', ref, made, parent])
    return made
  }
  return { forge, head: git.head, commit, [Symbol.asyncDispose]: dispose }
}

let running: Promise<RealGitea> | undefined
let repositories = 0
after(async () => (await running)?.[Symbol.asyncDispose]())

forgeContract('a real Gitea', openedGitea, goProgramMissing(giteaProgram) ?? false)

async function openedGitea(): Promise<ContractForge> {
  running ??= startRealGitea()
  const { address, username, password, api } = await running
  const name = `shop-${++repositories}`
  await api('POST', 'user/repos', { name, private: true, default_branch: 'main' })
  await using owned = new AsyncDisposableStack()
  const scratch = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-forge-')))
  const copy = await createRepository(join(scratch.path, 'copy'), {})
  const url = `${address}/acme/${name}.git`.replace('://', `://${username}:${password}@`)
  const commit = async (branch: string): Promise<string> => {
    const made = await copy.commitFiles({ 'a.txt': `${branch} ${await copy.head()}\n` }, 'A change')
    await copy.git.raw(['push', '--quiet', url, `HEAD:refs/heads/${branch}`])
    return made
  }
  await copy.commitFiles({ 'a.txt': '1\n' }, 'First')
  await commit('main')
  await commit('next')
  const head = async (branch: string): Promise<string> => {
    const { commit: found } = (await api('GET', `repos/acme/${name}/branches/${branch}`)) as {
      commit: { id: string }
    }
    return found.id
  }
  const login = {
    forge: gitea,
    base: apiBase(gitea, address),
    token: password,
    username,
    way: {},
    mayBeInner: true,
    words: generatorWords,
  }
  const { signal } = new AbortController()
  const client = new ForgeClient({ waitMs: 10_000, answerMs: 60_000 })
  const forge = await gitea.open(forgeApi(client, login, signal), `acme/${name}`)
  assert.ok(forge.reopen)
  const moved = owned.move()
  return { forge, head, commit, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}
