import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** Which transports beyond https and ssh an operator permits. */
export type UrlPolicy = {
  /** True if `file://` URLs and absolute paths are repositories. */
  allowFile: boolean
  /** The hosts that plain http is accepted of: none, this machine, or all. */
  allowPlainHttp: 'never' | 'loopback' | 'always'
}

/** The way git talks to a repository. */
export type Transport = 'https' | 'http' | 'ssh' | 'file'

/** A repository URL that is safe to hand to git as an argument; only `parseRepositoryUrl` makes one. */
export type RepositoryUrl = {
  /** The URL as it was written, without surrounding blanks. */
  readonly text: string
  readonly transport: Transport
  /** Host with port, lower case, or an empty string for files. */
  readonly host: string
}

const hostPattern = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i
const userPattern = /^[a-z0-9_][a-z0-9._~%+-]*$/i
const scpPattern = /^(?:(?<user>[^@/:]+)@)?(?<host>[^@/:]+|\[[^\]]+\]):(?<path>.+)$/
const controlOrSpace = /[\p{Cc}\p{Zl}\p{Zp}\s]/u

/**
 * Checks a repository URL before it gets anywhere near git.
 *
 * Accepts https, http (as the policy says), `ssh://`, scp-like `git@host:path`, and `file://` or absolute
 * paths where the policy permits files. A user name alone is accepted, a password never; no message repeats it.
 * @throws InvalidInputError
 */
export function parseRepositoryUrl(url: string, policy: UrlPolicy): RepositoryUrl {
  const text = url.trim()
  if (text === '') throw new InvalidInputError('the repository URL is empty')
  if (text.length > 2048) throw new InvalidInputError('the repository URL is longer than 2048 characters')
  if (controlOrSpace.test(text) || /%(?:[01][0-9a-f]|7f)/i.test(text)) {
    throw rejection(text, 'contains a blank or a control character')
  }
  if (text.startsWith('-')) throw rejection(text, 'begins with "-"')
  if (/^[^/]*::/.test(text) && !text.startsWith('[')) {
    throw rejection(text, 'names a git remote helper; use https, ssh or scp-like syntax')
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return parseWithoutScheme(text, policy)
  if (scheme === 'file') return parseFile(text, text.slice('file://'.length), policy)
  if (scheme !== 'https' && scheme !== 'http' && scheme !== 'ssh') {
    throw rejection(text, `uses the unknown scheme "${scheme}"; use https or ssh`)
  }
  return parseAuthority(text, scheme, policy)
}

function parseAuthority(text: string, transport: 'https' | 'http' | 'ssh', policy: UrlPolicy): RepositoryUrl {
  const rest = text.slice(text.indexOf('://') + 3)
  const slash = rest.search(/[/?#\\]/)
  const authority = slash < 0 ? rest : rest.slice(0, slash)
  const path = slash < 0 ? '' : rest.slice(slash)
  const at = authority.lastIndexOf('@')
  const user = at < 0 ? undefined : authority.slice(0, at)
  const host = authority.slice(at + 1).toLowerCase()
  checkUser(text, user)
  if (!hostPattern.test(host)) throw rejection(text, 'has no valid host name')
  if (/[?#\\]/.test(path)) throw rejection(text, 'has a query, a fragment or a backslash')
  if (path === '' || path === '/') throw rejection(text, 'names a host but no repository')
  if (transport === 'http' && !plainHttpAllowed(host, policy)) {
    throw rejection(text, 'uses plain http, which is not allowed for this host; use https')
  }
  return { text, transport, host }
}

function parseWithoutScheme(text: string, policy: UrlPolicy): RepositoryUrl {
  if (text.startsWith('/')) return parseFile(text, text, policy)
  const groups = scpPattern.exec(text)?.groups
  if (groups === undefined) throw rejection(text, 'is neither a URL nor scp-like "git@host:path"')
  const host = (groups['host'] ?? '').toLowerCase()
  if (['javascript', 'data', 'vbscript'].includes(host)) throw rejection(text, 'is an address for browsers')
  // What stands before the colon is a user then, and not the host that ssh would ask.
  checkUser(text, holdsSecret(text) ? ':' : groups['user'])
  if (!hostPattern.test(host)) throw rejection(text, 'has no valid host name')
  if (groups['path']?.startsWith('-')) throw rejection(text, 'has a path that begins with "-"')
  return { text, transport: 'ssh', host }
}

function parseFile(text: string, path: string, policy: UrlPolicy): RepositoryUrl {
  if (!policy.allowFile) {
    throw rejection(
      text,
      'is a local path, and repositories on disk are not enabled; WADI_ALLOW_FILE_URLS=true enables them, where you trust all who name repositories',
    )
  }
  if (!path.startsWith('/')) throw rejection(text, 'is not an absolute path')
  return { text, transport: 'file', host: '' }
}

function checkUser(text: string, user: string | undefined): void {
  if (user === undefined) return
  if (user.includes(':')) {
    throw rejection(text, 'contains a password; store it with "wadi repo add" instead')
  }
  if (isToken(user)) throw rejection(text, 'contains a token; store it with "wadi repo add" instead')
  if (!userPattern.test(user)) throw rejection(text, 'has a user name that git could misread')
}

function plainHttpAllowed(host: string, policy: UrlPolicy): boolean {
  if (policy.allowPlainHttp !== 'loopback') return policy.allowPlainHttp === 'always'
  const name = host.replace(/:\d+$/, '')
  return name === 'localhost' || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name)
}

function rejection(text: string, reason: string): InvalidInputError {
  return new InvalidInputError(`repository URL ${JSON.stringify(redactUrl(text))} ${reason}`)
}

/**
 * Removes user, password, query and fragment from a URL, so that it may stand in a message or a log. Where a password holds
 * characters that end one, more is removed rather than less.
 */
export function redactUrl(url: string): string {
  const scheme = url.indexOf('://')
  const head = scheme < 0 ? '' : url.slice(0, scheme + 3)
  return (head + withoutUser(url.slice(head.length), head !== '')).replace(/[?#].*$/s, '')
}

function withoutUser(rest: string, hasScheme: boolean): string {
  const authority = rest.split(/[/?#]/, 1)[0] ?? ''
  if (hasScheme && (authority === '' || hostPattern.test(authority))) return rest
  if (!hasScheme && !/^[^@:/]*:.*@/s.test(rest)) return rest
  const at = authority.indexOf('@')
  const userAlone =
    hasScheme && at >= 0 && !authority.slice(0, at).includes(':') && !authority.includes('@', at + 1)
  if (userAlone) return rest.slice(at + 1)
  const last = rest.lastIndexOf('@')
  if (last >= 0) return rest.slice(last + 1)
  return hasScheme && authority.includes(':') ? '\u2026' : rest
}

/** True if a URL carries a password or a token, as its user or in its query. A user name alone is not a secret. */
export function holdsSecret(url: string): boolean {
  const scheme = url.indexOf('://')
  const rest = scheme < 0 ? url : url.slice(scheme + 3)
  const bare = withoutUser(rest, scheme >= 0)
  if (bare !== rest) {
    const user = rest.slice(0, rest.indexOf('@'))
    return !rest.endsWith(`${user}@${bare}`) || /[:/?#]/.test(user) || isToken(user)
  }
  return /[?&][^=&]*(?:token|passw|secret|key|auth|sig)[^=&]*=/i.test(rest)
}

/** Returns a URL as everybody may see it: without a password or a token, and as it is when it has none. */
export function shownUrl(url: string): string {
  return holdsSecret(url) ? redactUrl(url) : url
}

/** The prefixes of the tokens of forges and registries, digests in hexadecimal, and whatever is too long for a name. */
function isToken(user: string): boolean {
  if (user.length > 40 || /^[0-9a-f]{32,}$/i.test(user)) return true
  return /^(?:gh[a-z]_|github_pat_|gl[a-z]{2,5}-|AT(?:BB|CTT|ATT)|BBDC-|xox[a-z]-|AKIA|npm_|dckr_[a-z]+_|hvs\.|eyJ)/.test(
    user,
  )
}
