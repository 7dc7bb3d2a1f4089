import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The secrets that authenticate webhooks: the values of the keys of the Secret `argocd-secret` that begin with `webhook.`. */
export type WebhookSecrets = Readonly<Record<string, string>>

/** A request before its payload is parsed. */
export interface WebhookRequest {
  /** The value of a header, by its name in lower case; empty when there is none. */
  header: (name: string) => string
  body: Buffer
}

/** The result of authenticating a request; `unset` if there is no secret to check it with. */
type Authenticity = 'authentic' | 'wrong' | 'unset'

/** Decides whether a request comes from who knows the secret, in constant time and without parsing the payload. */
export type Authenticate = (request: WebhookRequest, secrets: WebhookSecrets) => Authenticity

/** The hex HMAC-SHA256 of the body, after a prefix, is in a header; the first key that is set applies. */
export function signedBody(keys: readonly string[], headers: readonly string[], prefix = ''): Authenticate {
  return ({ header, body }, secrets) => {
    const secret = firstOf(keys, secrets)
    if (secret === undefined) return 'unset'
    const given = headers.map(header).find((value) => value !== '') ?? ''
    return verdict(given, prefix + createHmac('sha256', secret).update(body).digest('hex'))
  }
}

/** The secret itself is in a header. */
export function sharedToken(key: string, name: string): Authenticate {
  return ({ header }, secrets) => {
    const secret = firstOf([key], secrets)
    return secret === undefined ? 'unset' : verdict(withoutBraces(header(name)), withoutBraces(secret))
  }
}

/** User and password are in the header `authorization`. */
export function basicCredentials(userKey: string, passwordKey: string): Authenticate {
  return ({ header }, secrets) => {
    const [user, password] = [firstOf([userKey], secrets), firstOf([passwordKey], secrets)]
    if (user === undefined || password === undefined) return 'unset'
    const [, encoded = ''] = /^basic +([a-z0-9+/=]+)$/i.exec(header('authorization')) ?? []
    return verdict(Buffer.from(encoded, 'base64').toString('utf8'), `${user}:${password}`)
  }
}

/** Bitbucket writes the identifier of a webhook with braces in one place and without in another. */
function withoutBraces(text: string): string {
  return /^\{(.*)\}$/.exec(text)?.[1] ?? text
}

function firstOf(keys: readonly string[], secrets: WebhookSecrets): string | undefined {
  return keys.map((key) => secrets[key]).find((secret) => secret !== undefined && secret !== '')
}

function verdict(given: string, expected: string): Authenticity {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected)) ? 'authentic' : 'wrong'
}
