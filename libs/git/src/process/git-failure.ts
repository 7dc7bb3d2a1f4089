import {
  ConflictError,
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
  PermissionDeniedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import type { DomainError } from '@wadi/errors/domain-error.ts'
import { diskFull, readOnlyDisk } from '@wadi/errors/machine-shortage.ts'
import type { GitCredentials } from '../remote/credentials.ts'
import { redactUrl } from '../remote/repository-url.ts'
import { hostKeyRefused, proxyRefused, tlsFailed, unreachable } from './connection-failure.ts'

/** The operation of git that failed, for the message. */
export type GitOperation = {
  /** The git command, for example `fetch`. */
  command: string
  /** The repository that was contacted, if any; it is redacted before it is shown. */
  url?: string
  /** The credentials that it was contacted with; nothing but their advice is shown. */
  credentials?: Pick<GitCredentials, 'advice'> | undefined
}

/** The object database cannot be read; a mirror in this state is made again. */
export class CorruptMirrorError extends UnavailableError {}

/** The server answered with a redirect, which git is not allowed to follow with credentials. */
export class RepositoryMovedError extends FailedPreconditionError {
  /** The repository's new address, if the server named one. */
  readonly location: string | undefined

  constructor(message: string, location?: string) {
    super(message)
    this.location = location
  }
}

/** The server knows who asks and refuses: HTTP 403, or a key without the right. */
export class AccessRefusedError extends PermissionDeniedError {}

/** There is no such repository, or none that the server lets the caller know of. */
export class RepositoryNotFoundError extends NotFoundError {}

/** The server cannot update several refs as one. */
export class AtomicUnsupportedError extends FailedPreconditionError {}

/**
 * The code of errors of a push in which the server refused a ref for a reason of its own: of several refs that were
 * pushed as one, others may be accepted.
 */
export const refRefusedCode = 'ref-refused'

type Rule = {
  pattern: RegExp
  error: (where: string, detail: string, stderr: string, credentials?: SignIn) => DomainError
}

type SignIn = GitOperation['credentials']

/** The server does not know who asks: HTTP 401, or a key that it does not accept. */
export function authenticationFailed(where: string, credentials?: SignIn): PermissionDeniedError {
  return new PermissionDeniedError(`authentication failed for ${where}: ${adviceOf(credentials)}`)
}

/** The error of a server that knows who asks and refuses. */
export function accessRefused(where: string, credentials?: SignIn): AccessRefusedError {
  return new AccessRefusedError(`authentication failed for ${where}: ${adviceOf(credentials)}`)
}

/** The error of a server that has no such repository. */
export function repositoryNotFound(where: string, credentials?: SignIn): RepositoryNotFoundError {
  // A path of this machine takes no credentials.
  const advice = where.startsWith('file:') ? '' : `, and if it is private: ${adviceOf(credentials)}`
  return new RepositoryNotFoundError(`repository not found: ${where}; check its URL${advice}`)
}

function adviceOf(credentials: SignIn): string {
  return credentials?.advice ?? `check the repository's credentials (wadi repo add …)`
}

/** The error of a server that cannot update several refs as one. */
export function atomicUnsupported(where: string): AtomicUnsupportedError {
  return new AtomicUnsupportedError(`${where} cannot update several refs as one`)
}

/** The error for a repository that names its objects with SHA-256, which no server can bring together with SHA-1. */
export function objectFormatUnsupported(where: string): FailedPreconditionError {
  return new FailedPreconditionError(
    `${where} is a SHA-256 repository, which is not supported: create it again with "git init --object-format=sha1"`,
  )
}

/** The error of a server that redirects. @param location where to, as the server wrote it, if it did */
export function repositoryMoved(url: string, location: string | undefined): RepositoryMovedError {
  const where = redactUrl(url)
  const target = location === undefined ? null : URL.parse(location, url)
  if (target === null) {
    return new RepositoryMovedError(`repository moved: ${where} answers with a redirect`)
  }
  return new RepositoryMovedError(
    `repository moved: ${where} answers with a redirect to ${target.host}, which is not followed; ` +
      `use the new URL if you trust that host`,
    target.href,
  )
}

const fullDisk = /No space left on device|Out of diskspace|Disk quota exceeded|ENOSPC/i
const readOnlyFiles = /Read-only file system/i

const rules: Rule[] = [
  {
    pattern: /mismatched algorithms: client|does not support this repository's hash algorithm/i,
    error: objectFormatUnsupported,
  },
  {
    pattern: /does not support --atomic push/,
    error: atomicUnsupported,
  },
  {
    pattern: /transport '[^']*' not allowed|unable to find remote helper for/i,
    error: (where, detail) => new InvalidInputError(`${where}: ${detail}`),
  },
  {
    pattern: /host key verification failed|host key is known for|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    error: (where, _detail, stderr) => hostKeyRefused(where, stderr),
  },
  {
    pattern:
      /CONNECT tunnel failed, response \d+|HTTP code \d+ from proxy|Could not resolve proxy|Proxy CONNECT aborted/i,
    error: (where, _detail, stderr) =>
      proxyRefused(where, Number(/(?:response|HTTP code) (\d{3})/.exec(stderr)?.[1] ?? 0)),
  },
  {
    pattern: /returned error: 403|ERROR: Permission to .* denied/i,
    error: (where, _detail, _stderr, credentials) => accessRefused(where, credentials),
  },
  {
    pattern:
      /could not read (?:Username|Password) for|Authentication failed for|Permission denied \(|returned error: (?:401|407)|Load key .*(?:invalid format|error in libcrypto)|Too many authentication failures|HTTP Basic: Access denied|Invalid username or (?:password|token)/i,
    error: (where, _detail, _stderr, credentials) => authenticationFailed(where, credentials),
  },
  {
    pattern: /returned error: 30[12378]|unable to update url base from redirection/i,
    error: (where) => new RepositoryMovedError(`repository moved: ${where} answers with a redirect`),
  },
  {
    pattern:
      /couldn't find remote ref|unknown revision|bad revision|Needed a single revision|not a valid ref/i,
    error: (where, detail) => new NotFoundError(`revision not found in ${where}: ${detail}`),
  },
  {
    pattern:
      /upload-pack: not our ref|Server does not allow request for unadvertised object|want [0-9a-f]{40} not valid/i,
    error: (where) => new NotFoundError(`commit not found in ${where}`),
  },
  {
    pattern:
      /^(?:fatal: )?repository '[^']*' not found|ERROR: Repository not found|does not appear to be a git repository|returned error: (?:404|410)|The project you were looking for could not be found|Could not find repository|not found: did you run git update-server-info/im,
    error: (where, _detail, _stderr, credentials) => repositoryNotFound(where, credentials),
  },
  {
    pattern: new RegExp(`^remote:.*(?:${fullDisk.source})`, 'im'),
    error: (where, detail) =>
      new UnavailableError(`the git server has no space left on disk for ${where}: ${detail}`),
  },
  {
    pattern: new RegExp(`^remote:.*${readOnlyFiles.source}`, 'im'),
    error: (where, detail) =>
      new UnavailableError(`the disk of the git server is read-only, so ${where} takes nothing: ${detail}`),
  },
  {
    pattern: fullDisk,
    error: (where) => diskFull(`the copy of ${where}`),
  },
  {
    pattern: readOnlyFiles,
    error: (where) => readOnlyDisk(`the copy of ${where}`),
  },
  {
    pattern:
      /SSL certificate problem|server certificate verification failed|certificate (?:verify failed|has expired)|gnutls_handshake\(\) failed|SSL_ERROR|SSL routines|TLS connect error|error setting certificate|could not load (?:client|PEM)|SSL: no alternative certificate subject name/i,
    error: tlsFailed,
  },
  {
    pattern:
      /Could not resolve (?:host|proxy|hostname)|Failed to connect to|Couldn't connect to server|Connection (?:refused|timed out|reset|closed)|Operation (?:timed out|too slow)|No route to host|Network is unreachable|returned error: (?:429|5\d\d)|the remote end hung up|protocol error|early EOF|unexpected disconnect|Empty reply from server|Recv failure|Send failure|RPC failed|Name or service not known|Temporary failure in name resolution|kex_exchange_identification|transfer closed/i,
    error: unreachable,
  },
  {
    pattern:
      /cannot lock ref|Unable to create '[^']*\.lock'|reference already exists|failed to update ref|but expected/i,
    error: (where, detail) => new ConflictError(`${where} was changed at the same time: ${detail}`),
  },
]

const damage =
  /object file .* is empty|loose object .* is corrupt|packfile .* (?:is truncated|cannot be accessed|does not match)|inflate: data stream error|bad object|missing (?:blob|tree|commit)|unable to read (?:tree|sha1 file|[0-9a-f]{40})|not a git repository|unable to unpack|bad (?:pack|index) (?:header|file)|corrupt|did not send all necessary objects|index file .* is too small|invalid object/i

/**
 * Turns what git wrote to stderr into the error that callers act on; the one place that reads git's words.
 * `stderr` must be free of secrets. Unknown failures become UnavailableError, because most unknown
 * failures of a remote pass.
 */
export function classifyGitFailure(
  stderr: string,
  exitCode: number | null,
  operation: GitOperation,
): DomainError {
  const where = operation.url === undefined ? 'the repository' : redactUrl(operation.url)
  const detail = failureLine(stderr)
  const rule = rules.find(({ pattern }) => pattern.test(stderr))
  if (rule !== undefined) return rule.error(where, detail, stderr, operation.credentials)
  // A remote that reports damage speaks of its own repository, not of the mirror.
  if (damage.test(stderr.replaceAll(/^remote:.*$/gm, ''))) {
    return new CorruptMirrorError(`the copy of ${where} on disk is damaged: ${detail}`)
  }
  const reason = detail === '' ? `exit code ${exitCode ?? 'unknown'}` : detail
  return new UnavailableError(`git ${operation.command} failed for ${where}: ${reason}`)
}

/** The line of stderr that says most: what ssh or the server reports, else git's own first error. */
function failureLine(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const line =
    lines.find((text) => /^(?:ssh: |remote: (?:fatal|error)|ERROR: )/i.test(text)) ??
    lines.find((text) => /^(?:fatal|error): /.test(text)) ??
    lines.at(-1) ??
    ''
  const bare = line.replace(/^(?:(?:remote|fatal|error): )+/i, '')
  return bare.replaceAll(/(https?|ssh):\/\/[^\s'"]+/g, (url) => redactUrl(url)).slice(0, 500)
}

/** One ref that the server or git itself refused to update. */
export type PushRejection = {
  ref: string
  /** The text between the brackets and after it, for example `[rejected] (fetch first)`. */
  summary: string
}

/**
 * Turns a refused ref into ConflictError (another writer was faster: fetch and build again) or
 * FailedPreconditionError (the branch is protected: somebody has to change the server's rules).
 * @param operation with the `refs` that were pushed together
 */
export function classifyPushRejection(
  rejection: PushRejection,
  stderr: string,
  operation: GitOperation & { refs?: readonly string[] },
): DomainError {
  const where = operation.url === undefined ? 'the repository' : redactUrl(operation.url)
  const { ref, summary } = rejection
  const { refs = [ref] } = operation
  const remoteLines = stderr
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith('remote:'))
    .map((line) => line.slice('remote:'.length).trim())
    .filter((line) => line !== '' && !/^[=-]+$/.test(line))
  const remoteText = remoteLines.join(' ').slice(0, 500)
  const protection =
    /protected branch|hook declined|GH006|GH013|rule violations|not allowed to (?:push|force)|pre-receive|deny|denied|prohibited|refusing to/i
  const race =
    /fetch first|non-fast-forward|stale info|cannot lock ref|incorrect old value|failed to update ref|reference already exists|atomic transaction failed|remote ref updated since checkout|needs force/i
  // GitHub reports a protected branch and a lost race with equal summaries; only the hook's text differs.
  if (race.test(summary) || (race.test(remoteText) && !/GH0\d\d|protected/i.test(remoteText))) {
    return new ConflictError(`${ref} of ${where} was changed by another writer: ${summary}`)
  }
  if (protection.test(summary) || protection.test(remoteText)) {
    const why = remoteText === '' ? summary : remoteText
    // Such a hook sees all refs of a push at once, and git says of each that it was declined.
    if (refs.length > 1 && /pre-receive/i.test(summary)) {
      return new FailedPreconditionError(
        `the pre-receive hook of ${where} declined ${refs.join(' and ')} together: at least one is protected and refuses the push: ${why}; allow the pushing account to write all of them`,
        { code: refRefusedCode },
      )
    }
    return new FailedPreconditionError(
      `${ref} of ${where} is protected and refuses the push: ${why}; allow the pushing account to write it`,
      { code: refRefusedCode },
    )
  }
  if (/No space left|quota/i.test(`${summary} ${remoteText}`)) {
    return new UnavailableError(`${where} has no room for ${ref}: ${summary}`)
  }
  return new UnavailableError(`${where} did not accept ${ref}: ${remoteText === '' ? summary : remoteText}`, {
    code: refRefusedCode,
  })
}
