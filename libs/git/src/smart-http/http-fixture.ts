import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import type { GitHttpServer } from '@wadi/testing/git-http-server.ts'
import { makeCertificate } from '@wadi/testing/tls-certificate.ts'
import type { GitCredentials } from '../remote/credentials.ts'

/** For tests: both clients that must behave alike. */
export const httpClients = ['built-in', 'git'] as const

/** For tests: a git server with a user, by http, or with a certificate of its own by https, which clients may have to show too. */
export async function startFixtureServer(
  scheme: 'http' | 'https',
  { showCertificate = false }: { showCertificate?: boolean } = {},
): Promise<AsyncDisposable & { server: GitHttpServer; credentials: GitCredentials }> {
  await using stack = new AsyncDisposableStack()
  const directory = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-git-tls-'))).path
  const login = { username: 'bot', password: 's3cret' }
  const files = scheme === 'https' ? makeCertificate(directory) : undefined
  const certificate = files && (await readFile(files.certificate, 'utf8'))
  const key = files && (await readFile(files.key, 'utf8'))
  const tls = files && { cert: certificate, key, ca: certificate, requestCert: showCertificate }
  const server = stack.use(
    await startGitHttpServer({ users: { bot: 's3cret' }, ...(tls !== undefined && { tls }) }),
  )
  const credentials: GitCredentials = {
    ...login,
    ...(certificate !== undefined && { tlsCaCertificate: certificate }),
    ...(showCertificate && certificate && key && { tlsClientCertificate: certificate, tlsClientKey: key }),
  }
  const owned = stack.move()
  return { server, credentials, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** For tests: a server that does with each connection what it is given. */
export async function startHostileServer(
  onConnection: (socket: Socket) => void,
): Promise<AsyncDisposable & { url: string }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.git`,
    async [Symbol.asyncDispose]() {
      const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>()
      server.close(() => onClosed())
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
