import { createPrivateKey } from 'node:crypto'
import {
  CanceledError,
  DomainError,
  FailedPreconditionError,
  InvalidInputError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { inContext } from '@wadi/errors/with-context.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { exchangeWithForge, type ForgeResponse } from '@wadi/forges/forge-exchange.ts'
import type { ServerWay } from '@wadi/git/network/server-way.ts'
import { SignJWT } from 'jose/jwt/sign'

const answerMs = 15_000

/** A GitHub App's installation, which may act on repositories. */
export interface GitHubApp {
  appId: string
  installationId: string
  /** PEM. */
  privateKey: string
  /** Root of the server's API. */
  apiUrl: string
  /** The way to that server; the usual one by default. */
  way?: ServerWay
}

/** A token that git can use as the password of the user `x-access-token`. */
export interface InstallationToken {
  token: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/**
 * Asks GitHub for an installation token, which lives an hour.
 * @throws InvalidInputError for a key or an address of the API that cannot be used, FailedPreconditionError when GitHub
 * refuses the App, UnavailableError when it does not answer, CanceledError when the signal aborts.
 */
export async function requestInstallationToken(
  app: GitHubApp,
  signal?: AbortSignal,
): Promise<InstallationToken> {
  if (!/^https?:$/u.test(URL.parse(app.apiUrl)?.protocol ?? '')) {
    throw new InvalidInputError(`GitHub App ${app.appId}: githubAppEnterpriseBaseUrl is not an http(s) URL`)
  }
  const jwt = await appJwt(app)
  const url = `${app.apiUrl}/app/installations/${encodeURIComponent(app.installationId)}/access_tokens`
  const asked = `GitHub App ${app.appId}: ${new URL(url).host}`
  const { status, body: text } = await send(url, jwt, app, signal)
  const isRedirect = status >= 300 && status < 400
  if (isRedirect || status >= 500 || status === 429) throw new UnavailableError(`${asked} answered ${status}`)
  if (status < 200 || status > 299) {
    throw new FailedPreconditionError(
      `${asked} answered ${status} for installation ` +
        `${app.installationId}; check the App's number, installation and private key`,
    )
  }
  // What is not JSON may hold a token, which the parser's message would quote.
  const body = parsedJson(text)
  const { token, expires_at: expiresAt } = isJsonObject(body) ? body : {}
  if (typeof token !== 'string' || typeof expiresAt !== 'string') {
    throw new UnavailableError(`GitHub App ${app.appId}: the answer has no token`)
  }
  return { token, expiresAt: Date.parse(expiresAt) }
}

async function send(
  url: string,
  jwt: string,
  { appId, way = {} }: GitHubApp,
  signal: AbortSignal | undefined,
): Promise<ForgeResponse> {
  const timeout = AbortSignal.timeout(answerMs)
  const headers = {
    authorization: `Bearer ${jwt}`,
    accept: 'application/vnd.github+json',
    // GitHub refuses a client without a name.
    'user-agent': 'wadi',
    'content-length': '0',
  }
  try {
    return await exchangeWithForge(
      { method: 'POST', url: new URL(url), headers, way, mayBeInner: true },
      signal ? AbortSignal.any([signal, timeout]) : timeout,
    )
  } catch (cause) {
    const context = [`GitHub App ${appId}`]
    if (signal?.aborted) throw new CanceledError('the call was canceled', { context, cause })
    if (cause instanceof DomainError) throw inContext(context[0] ?? '', cause)
    throw new UnavailableError(`${new URL(url).host} does not answer`, { context, cause })
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function appJwt(app: GitHubApp): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  try {
    return await new SignJWT({})
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(app.appId)
      .setIssuedAt(now - 30)
      .setExpirationTime(now + 540)
      .sign(createPrivateKey(app.privateKey))
  } catch {
    throw new InvalidInputError(
      `GitHub App ${app.appId}: githubAppPrivateKey is not an RSA private key in PEM`,
    )
  }
}
