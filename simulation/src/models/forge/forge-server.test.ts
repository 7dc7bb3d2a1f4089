import { forgeApi } from '@wadi/forges/forge-api.ts'
import { ForgeClient } from '@wadi/forges/forge-client.ts'
import { generatorWords } from '@wadi/forges/forge-failure.ts'
import { gitea } from '@wadi/forges/gitea/gitea-forge.ts'
import { forgeContract } from '@wadi/forges/pull-requests/forge-contract-fixture.ts'
import { standInToken } from '@wadi/forges/pull-requests/stand-in-answers-fixture.ts'
import { GitServer } from '../git/git-server.ts'
import { forgeAddress, ForgeServer } from './forge-server.ts'

forgeContract(
  'the model of the forge',
  async () => {
    const git = new GitServer()
    const server = new ForgeServer(git)
    const head = async (branch: string) => git.refs.get(`refs/heads/${branch}`) ?? ''
    const commit = async (branch: string): Promise<string> => {
      const parent = git.refs.get(`refs/heads/${branch}`) ?? git.refs.get('refs/heads/main')
      const text = `${branch} after ${parent}\n`
      const made = git.commit(parent, { 'a.txt': text }, { message: 'A change', seconds: 0 })
      git.move(`refs/heads/${branch}`, made)
      return made
    }
    await commit('main')
    await commit('next')
    const login = {
      forge: gitea,
      base: new URL(`${forgeAddress}/api/v1/`),
      token: standInToken,
      way: {},
      mayBeInner: true,
      words: generatorWords,
    }
    const client = new ForgeClient({ waitMs: 0, answerMs: 20_000 }, (request) => server.answer(request))
    const { signal } = new AbortController()
    const forge = await gitea.open(forgeApi(client, login, signal), 'team/apps')
    return { forge, head, commit, [Symbol.asyncDispose]: async () => undefined }
  },
  false,
)
