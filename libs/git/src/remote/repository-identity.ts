import { azureDevOpsPath } from './azure-devops-path.ts'
import { redactUrl } from './repository-url.ts'

/**
 * Returns the spelling under which two URLs of one repository are equal, as Argo CD's `NormalizeGitURL` does:
 * trimmed, all lower case, scp-like turned into path form, slashes at the end, one `.git` and `ssh://` removed. Text that is not a URL
 * comes back as it is. Transport, user and port are part of it: it decides rights, credentials, copies and what is written.
 */
export function normalizeRepositoryUrl(url: string): string {
  let text = url.trim().toLowerCase()
  if (/^(?:ssh:\/\/)?[^/:]*@[^@]+$/.test(text) && !text.startsWith('ssh://')) {
    text = `ssh://${text.replace(':', '/')}`
  }
  text = text.replace(/(?<!\/)\/+$/, '')
  text = text.endsWith('.git') ? text.slice(0, -'.git'.length) : text
  if (/\p{Cc}/u.test(text) || /%(?![0-9a-f]{2})/.test(text)) return url
  return text.startsWith('ssh://') ? text.slice('ssh://'.length) : text
}

/**
 * Returns `host/path` of a repository, which is equal for all ways to spell and to reach it: user, http, https or ssh, port, an `ssh.` or
 * `altssh.` host, `.git`, slashes, case and escapes are not part of it, and the forms of Azure DevOps and Bitbucket Server are one.
 * It finds what a webhook, a checkout or a filter is about, where taking two repositories for one costs a poll too many. It decides
 * no right, no credentials and nothing that is written, but for refusing to write where a repository may be the dry one.
 */
export function repositoryIdentity(url: string): string {
  const { scheme, host, path } = partsOf(redactUrl(url.trim()).toLowerCase())
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(plainSegment)
  const last = segments.pop() ?? ''
  const name = last.replace(/\.git$/, '')
  const named = name === '' ? segments : [...segments, name]
  const server = host
    .replace(/:\d*$/, '')
    .replace(/\.$/, '')
    .replace(/^(?:alt)?ssh\.(?=.*\.)/, '')
  const azure = azureDevOpsPath(server, named)
  const whole = azure ? ['dev.azure.com', ...azure] : [server, ...withoutScm(server, named)]
  return `${scheme}${whole.join('/')}`
}

/** The scheme of what is not reached like a git server, and host and path. */
function partsOf(text: string): { scheme: string; host: string; path: string } {
  const [, scheme = '', authority = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/]*)(.*)$/s.exec(text) ?? []
  if (scheme !== '') {
    const isGit = /^(?:https?|ssh|git|git\+ssh|ssh\+git):/.test(scheme)
    return { scheme: isGit ? '' : scheme, host: authority.slice(authority.lastIndexOf('@') + 1), path }
  }
  const scp = /^(?:[^/:@]*@)?(\[[^\]]*\]|[^/:@]+)(?::|(?=\/))(.*)$/s.exec(text)
  return scp
    ? { scheme: '', host: scp[1] ?? '', path: scp[2] ?? '' }
    : { scheme: 'file://', host: '', path: text }
}

/** A part of a path with the escapes that it needs and no others. */
function plainSegment(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment)).toLowerCase()
  } catch {
    return segment
  }
}

/** Bitbucket Server has its repositories below `scm` over http alone. */
function withoutScm(host: string, path: readonly string[]): readonly string[] {
  const isPublic = /^(?:github\.com|gitlab\.com|bitbucket\.org)$/.test(host)
  return path.length === 3 && path[0] === 'scm' && !isPublic ? path.slice(1) : path
}
