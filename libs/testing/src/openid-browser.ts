/**
 * Goes where a browser goes that is sent to `address`, cookies included, until it is sent to an address that begins with
 * `end`, which it returns.
 * @throws Error for a page instead of a redirect
 */
export async function followRedirects(address: string, end: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = address
  while (!next.startsWith(end)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${next} answers ${response.status}: ${await response.text()}`)
    next = new URL(location, next).href
  }
  return new URL(next)
}
