import { CommandFailure } from '../command-line/command-failure.ts'

const maxRedirects = 5

/**
 * Opens what an http(s) URL gives, without signing in. A redirect may lead anywhere, but not from https to http.
 * @throws CommandFailure for another status than 200, for a server that cannot be reached or is not done in time, and
 *   for a URL with a password, which would be in the process list.
 */
export async function openDownload(url: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  let address = parseAddress(url, url)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await request(address, url, signal)
    if (response.status === 200 && response.body) return response.body
    await response.body?.cancel()
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) {
      throw new CommandFailure(`${url} answered ${response.status} ${response.statusText}`.trim())
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

async function request(address: URL, url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(address, { signal, redirect: 'manual' })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    throw new CommandFailure(`${url} cannot be read: ${reason}`, undefined, { cause: error })
  }
}
