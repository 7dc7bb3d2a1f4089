/** The browser's part of a request: its headers, and the address that it was sent to. */
export interface BrowserRequest {
  header: Pick<Headers, 'get'>
  url: string
}

/**
 * Returns whether a page of this server made a request. A browser says so, and a request that says nothing may come from a page
 * of somebody else by a browser that is old, so it does not count as one of ours.
 */
export function isSameOrigin({ header, url }: BrowserRequest): boolean {
  const site = header.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = URL.parse(header.get('origin') ?? '')
  // A proxy in front may have taken TLS off, so the scheme here says nothing.
  return (
    origin !== null && URL.parse(`${origin.protocol}//${URL.parse(url)?.host ?? ''}`)?.host === origin.host
  )
}
