import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type GitHttpServer, startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { makeCertificate } from '@wadi/testing/tls-certificate.ts'
import { openRemoteLink } from './remote-link.ts'

/** The git server of a bed, with one user. */
export interface BedServer extends AsyncDisposable {
  readonly server: GitHttpServer
  readonly credentials: { readonly username: string; readonly password: string; readonly insecure: boolean }
  /** The URL at which the mesh reaches a repository of the server. */
  reachedAt(url: string): string
  /**
   * Returns the number of waits for the server so far: one for each request, and for a connection one for TCP and, on a remote one, one for
   * TLS 1.3.
   */
  roundTrips(): number
  /** Closes all connections, as a server does that has not been asked for a while. */
  closeConnections(): void
}

/**
 * Starts a git server for a bed.
 * @param roundTripMs time of a round trip; then it speaks https. Without it, it is on this machine and speaks http.
 */
export async function startBedServer(
  directory: string,
  root: string,
  roundTripMs: number | undefined,
): Promise<BedServer> {
  await using resources = new AsyncDisposableStack()
  const password = randomBytes(12).toString('base64url')
  const users = { bench: password }
  const credentials = { username: 'bench', password, insecure: roundTripMs !== undefined }
  if (roundTripMs === undefined) {
    const server = resources.use(await startGitHttpServer({ root, users }))
    const owned = resources.move()
    return {
      server,
      credentials,
      reachedAt: (url) => url,
      roundTrips: () => server.requests.length + server.connections(),
      closeConnections: () => server.closeConnections(),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    }
  }
  const { certificate, key } = makeCertificate(directory)
  const tls = { cert: await readFile(certificate), key: await readFile(key), minVersion: 'TLSv1.3' as const }
  const server = resources.use(await startGitHttpServer({ root, users, tls }))
  const link = resources.use(await openRemoteLink(Number(new URL(server.url).port), roundTripMs))
  const owned = resources.move()
  return {
    server,
    credentials,
    reachedAt: (url) => `https://127.0.0.1:${link.port}${new URL(url).pathname}`,
    roundTrips: () => server.requests.length + 2 * link.connections(),
    closeConnections: () => link.closeConnections(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
