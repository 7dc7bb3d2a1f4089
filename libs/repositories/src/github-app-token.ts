import { createPrivateKey } from 'node:crypto'
import {
  CanceledError,
  FailedPreconditionError,
  InvalidInputError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { SignJWT } from 'jose/jwt/sign'

/** A GitHub App's installation, which may act on repositories. */
export interface GitHubApp {
  appId: string
  installationId: string
  /** PEM. */
  privateKey: string
  /** Root of the server's API. */
  apiUrl: string
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
  const timeout = AbortSignal.timeout(15_000)
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      headers: { authorization: `Bearer ${jwt}`, accept: 'application/vnd.github+json' },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  } catch (cause) {
    if (signal?.aborted) throw new CanceledError(`GitHub App ${app.appId}: the call was canceled`, { cause })
    throw new UnavailableError(`GitHub App ${app.appId}: ${new URL(url).host} does not answer`, { cause })
  }
  if (response.status >= 500 || response.status === 429) {
    throw new UnavailableError(`GitHub App ${app.appId}: ${new URL(url).host} answered ${response.status}`)
  }
  if (!response.ok) {
    throw new FailedPreconditionError(
      `GitHub App ${app.appId}: ${new URL(url).host} answered ${response.status} for installation ` +
        `${app.installationId}; check the App's number, installation and private key`,
    )
  }
  // What is not JSON may hold a token, which the parser's message would quote.
  const body = (await response.json().catch(() => null)) as { token?: unknown; expires_at?: unknown } | null
  if (typeof body?.token !== 'string' || typeof body.expires_at !== 'string') {
    throw new UnavailableError(`GitHub App ${app.appId}: the answer has no token`)
  }
  return { token: body.token, expiresAt: Date.parse(body.expires_at) }
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
