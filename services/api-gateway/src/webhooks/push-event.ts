import { createHmac, timingSafeEqual } from 'node:crypto'
import { normalizeRepositoryUrl } from '@wadi/git/repository-url.ts'

/** What a provider's push webhook tells that matters here. */
interface PushEvent {
  /** The repository by every way to reach it that the payload has: of spellings that mean the same, the first. */
  repoURLs: string[]
}

/** The keys of the Secret `argocd-secret` that hold the webhooks' shared secrets; the names are Argo CD's. */
export interface WebhookSecrets {
  'webhook.github.secret'?: string
  'webhook.gitlab.secret'?: string
  'webhook.gogs.secret'?: string
  /** Ours: Gitea and Forgejo. */
  'webhook.gitea.secret'?: string
}

/** The result of reading a webhook request. */
export type WebhookReading = { event: PushEvent } | { refused: string; status: number }

/**
 * Reads a webhook of GitHub, GitLab, Gitea, Forgejo or Gogs. The signature is checked over the raw body before anything
 * is parsed; a provider without a stored secret is refused.
 */
export function readWebhook(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Buffer,
  secrets: WebhookSecrets,
): WebhookReading {
  const header = (name: string): string => String(headers[name] ?? '')
  const verdict = verify(header, body, secrets)
  if (verdict !== undefined) return verdict
  let payload: unknown
  try {
    payload = JSON.parse(body.toString('utf8'))
  } catch {
    return { refused: 'the body is no JSON', status: 400 }
  }
  const repoURLs = repositoryURLs(payload)
  return repoURLs.length > 0
    ? { event: { repoURLs } }
    : { refused: 'the payload names no repository', status: 400 }
}

function verify(
  header: (name: string) => string,
  body: Buffer,
  secrets: WebhookSecrets,
): { refused: string; status: number } | undefined {
  const hmac = (secret: string) => createHmac('sha256', secret).update(body).digest('hex')
  const check = (secret: string | undefined, given: string, expected: (secret: string) => string) => {
    if (!secret) return { refused: 'no secret is set for webhooks of this provider', status: 401 }
    return isEqual(given, expected(secret)) ? undefined : { refused: 'the signature is wrong', status: 401 }
  }
  if (header('x-gitea-event') !== '') {
    return check(secrets['webhook.gitea.secret'], header('x-gitea-signature'), hmac)
  }
  if (header('x-gogs-event') !== '')
    return check(secrets['webhook.gogs.secret'], header('x-gogs-signature'), hmac)
  if (header('x-github-event') !== '') {
    return check(
      secrets['webhook.github.secret'],
      header('x-hub-signature-256'),
      (secret) => `sha256=${hmac(secret)}`,
    )
  }
  if (header('x-gitlab-event') !== '') {
    return check(secrets['webhook.gitlab.secret'], header('x-gitlab-token'), (secret) => secret)
  }
  return { refused: 'unknown provider; GitHub, GitLab, Gitea, Forgejo and Gogs are known', status: 400 }
}

function isEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** Every URL under which `repository` or `project` of a payload can be cloned. */
function repositoryURLs(payload: unknown): string[] {
  const urls = new Map<string, string>()
  for (const part of ['repository', 'project']) {
    const repository = field(payload, part)
    for (const name of [
      'clone_url',
      'ssh_url',
      'html_url',
      'git_http_url',
      'git_ssh_url',
      'web_url',
      'url',
    ]) {
      const url = field(repository, name)
      if (typeof url !== 'string' || url === '') continue
      const key = normalizeRepositoryUrl(url)
      if (!urls.has(key)) urls.set(key, url)
    }
  }
  return [...urls.values()]
}

function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined
}
