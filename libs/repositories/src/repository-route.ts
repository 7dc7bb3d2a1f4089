import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'

/**
 * The key by which requests about a repository find the replica that holds its mirror: the URL in its normal form, so that every
 * spelling leads to one replica. Streams name their repository in their first message. Undefined for a request that names none.
 */
export function repositoryRoute(request: unknown): string | undefined {
  const repoUrl = textField(request, 'repoUrl') ?? textField(firstPart(request), 'repoUrl')
  return repoUrl === undefined ? undefined : normalizeRepositoryUrl(repoUrl)
}

/** The value of the `oneof` that the messages of a stream consist of. */
function firstPart(request: unknown): unknown {
  const part = field(request, 'message')
  return field(part, 'value')
}

function textField(message: unknown, name: string): string | undefined {
  const value = field(message, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function field(message: unknown, name: string): unknown {
  if (typeof message !== 'object' || message === null) return undefined
  return Object.getOwnPropertyDescriptor(message, name)?.value
}
