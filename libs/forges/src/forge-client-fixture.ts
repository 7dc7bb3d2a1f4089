import { apiBase } from './forge-address.ts'
import { forgeApi } from './forge-api.ts'
import { ForgeClient, type ForgeLogin, type ForgePatience } from './forge-client.ts'
import { generatorWords } from './forge-failure.ts'
import { type ForgeServer, forgeToken } from './forge-server-fixture.ts'
import { textAt } from './forge-values.ts'
import type { Forge } from './forge.ts'
import { github as githubForge } from './github/github-forge.ts'

/** Aborts never. */
export const { signal: endless } = new AbortController()

/** Returns a client that waits five seconds. */
export function openClient(patience: Partial<ForgePatience> = {}): ForgeClient {
  return new ForgeClient({ waitMs: 5_000, answerMs: 5_000, ...patience })
}

/** Returns the account that a server of a test knows. */
export function loginTo(server: ForgeServer, login: Partial<ForgeLogin> & { forge: Forge }): ForgeLogin {
  const base = apiBase(login.forge, server.address)
  return {
    base,
    token: forgeToken,
    way: {},
    mayBeInner: true,
    words: generatorWords,
    ...login,
  }
}

/** Returns the names of the repositories that a client is told. */
export function namesOf(
  client: ForgeClient,
  server: ForgeServer,
  login: Partial<ForgeLogin> & { forge?: Forge } = {},
  signal = endless,
) {
  const api = forgeApi(client, loginTo(server, { forge: githubForge, ...login }), signal)
  return api.all({ path: ['orgs', 'acme', 'repos'] }, (item) => textAt(item, 'name'))
}

/** Those of `someRepositories`. */
export const names = ['shop', 'attic', 'fresh']
