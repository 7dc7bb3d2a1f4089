import type { ForgeLogin } from './forge-client.ts'

const userAgent = 'wadi'

/** The headers by which a forge knows the caller and the form of the answer. */
export function forgeHeaders(
  login: Pick<ForgeLogin, 'forge' | 'token' | 'username'>,
): Record<string, string> {
  return {
    accept: login.forge === 'github' ? 'application/vnd.github+json' : 'application/json',
    'user-agent': userAgent,
    ...(login.forge === 'github' && { 'x-github-api-version': '2022-11-28' }),
    ...authorization(login),
  }
}

function authorization({
  forge,
  token,
  username,
}: Pick<ForgeLogin, 'forge' | 'token' | 'username'>): Record<string, string> {
  if (token === undefined) return {}
  if (forge === 'gitlab') return { 'private-token': token }
  if (username !== undefined) {
    return { authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` }
  }
  if (forge === 'gitea') return { authorization: `token ${token}` }
  return { authorization: `Bearer ${token}` }
}
