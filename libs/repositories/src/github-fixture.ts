import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { jwtVerify } from 'jose'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The private key of the App that the test server knows, PEM. */
export const appPrivateKey = privateKey.export({ type: 'pkcs8', format: 'pem' })

/** The test server's answers to the next requests. */
interface GitHubAnswers {
  /** In place of the token. */
  status?: number
  body?: string
  headers?: Record<string, string>
  /** The lifetime of a token, in milliseconds. Default: one hour. */
  lifetimeMs?: number
}

/** A server of GitHub's API on the loopback interface that knows one App, `42`, with one installation, `77`. */
export interface GitHubServer extends AsyncDisposable {
  url: string
  /** Method, path and the result of checking the App's JWT, of every request. */
  requests: string[]
  answers: GitHubAnswers
}

/** Starts the server on a free port; its tokens are `installation-token-1`, `-2` and so on. */
export async function startGitHub(tls?: { cert: Buffer; key: Buffer }): Promise<GitHubServer> {
  const requests: string[] = []
  const answers: GitHubAnswers = {}
  let tokens = 0
  const listener: RequestListener = (request, response) => {
    void checkJwt(request).then((verdict) => {
      requests.push(`${request.method} ${request.url} ${verdict}`)
      const isKnown = verdict === 'signed' && request.url === '/api/v3/app/installations/77/access_tokens'
      const { status = isKnown ? 201 : 401, headers = {} } = answers
      const expiresAt = new Date(Date.now() + (answers.lifetimeMs ?? 3_600_000)).toISOString()
      const token = { token: `installation-token-${++tokens}`, expires_at: expiresAt }
      const body = isKnown ? JSON.stringify(token) : '{"message":"Bad credentials"}'
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(answers.body ?? body)
    })
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/v3`,
    requests,
    answers,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** GitHub's rules for the JWT of an App: RS256, its number as issuer, and no longer than ten minutes. */
async function checkJwt(request: IncomingMessage): Promise<string> {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  try {
    const { payload } = await jwtVerify(token, publicKey, { algorithms: ['RS256'], issuer: '42' })
    const { iat = Infinity, exp = Infinity } = payload
    const now = Date.now() / 1000
    if (iat > now) return 'issued in the future'
    return exp > now && exp - iat <= 600 ? 'signed' : 'lives too long'
  } catch {
    return 'not signed'
  }
}
