import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connectionsTo } from '@wadi/git/network/connections.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

const maxRedirects = 5

/**
 * Opens what an http(s) URL gives, without signing in. A redirect may lead anywhere, but not from https to http.
 * @throws CommandFailure for another status than 200, for a server that cannot be reached or is not done in time, and
 *   for a URL with a password, which would be in the process list.
 */
export async function openDownload(url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  let address = parseAddress(url, url)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await request(address, url, signal)
    const { statusCode: status = 0, statusMessage = '', headers } = response
    if (status === 200) return response
    response.destroy()
    const { location } = headers
    if (status < 300 || status > 399 || location === undefined) {
      throw new CommandFailure(`${url} answered ${status} ${statusMessage}`.trim())
    }
    const next = parseAddress(new URL(location, address).href, url)
    if (address.protocol === 'https:' && next.protocol !== 'https:') {
      throw new CommandFailure(
        `${url} leads from https to ${next.protocol}//${next.host}; that is not followed`,
      )
    }
    address = next
  }
  throw new CommandFailure(`${url} redirects more than ${maxRedirects} times`)
}

function parseAddress(text: string, url: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined
  if (!address || !/^https?:$/.test(address.protocol)) {
    const place = address ? `${url} leads to ${address.protocol}//` : `${url} is not an address`
    throw new CommandFailure(`${place}; only http and https are supported`)
  }
  if (address.username || address.password) {
    throw new CommandFailure(
      `${address.host}: a URL with a password is not supported; download the file and give its path`,
    )
  }
  return address
}

/** Asks through the proxy and with the authorities of this machine. */
async function request(address: URL, url: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { origin, protocol, host } = address
  const isPlain = protocol === 'http:'
  const server = { text: origin, transport: isPlain ? 'http' : 'https', host } as const
  try {
    const agent = connectionsTo({ url: server, credentials: {}, addresses: [] })
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const sent = (isPlain ? httpRequest : httpsRequest)(address, { agent, signal })
    sent.once('response', resolve).once('error', reject).end()
    return await promise
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new CommandFailure(`${url} cannot be read: ${error.message || String(error)}`, undefined, {
      cause: error,
    })
  }
}
