import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CommandFailure } from '../command-line/command-failure.ts'

/** Waits on this machine for the browser that comes back from an OpenID provider. */
export interface CallbackListener extends AsyncDisposable {
  /** The address to which the provider must send the browser back. */
  redirectAddress: string
  /** Resolves with the address that the browser came back to. */
  callback: Promise<URL>
}

const path = '/auth/callback'
const page = '<!doctype html><title>Wadi</title><p>The command line continues; you can close this page.</p>\n'

/**
 * Listens on the loopback interface; port 0 takes a free one. Requests without the state of this sign-in are refused
 * and waited past, for any page in a browser can send them.
 * @throws CommandFailure when the port is taken
 */
export async function listenForCallback(port: number, state: string): Promise<CallbackListener> {
  const { promise, resolve } = Promise.withResolvers<URL>()
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', redirectAddress)
    const isCallback = request.method === 'GET' && url?.pathname === path
    const isOurs = isCallback && url.searchParams.get('state') === state
    const status = isOurs ? 200 : isCallback ? 400 : 404
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', connection: 'close' })
    response.end(isOurs ? page : '')
    if (isOurs) resolve(url)
  })
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new CommandFailure(
      `cannot listen on 127.0.0.1:${port} for the browser (${error instanceof Error ? error.message : String(error)}); ` +
        'choose another port with --sso-port',
      undefined,
      { cause: error },
    )
  }
  const redirectAddress = `http://localhost:${(server.address() as AddressInfo).port}${path}`
  return {
    redirectAddress,
    callback: promise,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeIdleConnections()
      await once(server, 'close')
    },
  }
}
