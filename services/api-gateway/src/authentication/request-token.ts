/** The cookie that carries a token, as Argo CD's does; `argocd.token-1` and so on when it is too long for one. */
export const tokenCookie = 'argocd.token'

const maxParts = 16

/**
 * Returns the token of a request: that of the metadata key `token`, which argocd's CLI sends empty when nobody is signed
 * in, else of `authorization: Bearer …`, else of the cookie.
 */
export function requestToken(header: Pick<Headers, 'get'>): string | undefined {
  return headerToken(header) ?? (cookieToken(header.get('cookie') ?? '') || undefined)
}

/** Returns the token of a request whose sender put it there, and not a browser by itself. */
export function headerToken(header: Pick<Headers, 'get'>): string | undefined {
  const bearer = /^Bearer +(?! )(.*)$/isu.exec(header.get('authorization') ?? '')?.[1]?.trimEnd()
  return header.get('token') || bearer || undefined
}

/** Returns the names of the cookies that carry a token or a part of it. */
export function tokenCookieNames(cookieHeader: string): string[] {
  return [...tokenCookies(cookieHeader).keys()]
}

/** The first part may begin with the number of parts, `3:`; without such a first part they are counted from 0. */
function cookieToken(cookieHeader: string): string {
  const cookies = tokenCookies(cookieHeader)
  const whole = cookies.get(tokenCookie)
  const [, count, first = ''] = /^(?:(\d{1,2}):)?(.*)$/s.exec(whole ?? '') ?? []
  const start = whole === undefined ? 0 : 1
  const end = whole === undefined ? maxParts : Math.min(Number(count ?? 1), maxParts)
  let token = first
  for (let part = start; part < end; part++) token += cookies.get(`${tokenCookie}-${part}`) ?? ''
  return token
}

function tokenCookies(cookieHeader: string): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of cookieHeader.split(';')) {
    const equals = pair.indexOf('=')
    if (equals === -1) continue
    const [name, value] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
    if (name === tokenCookie || /^argocd\.token-\d{1,2}$/.test(name)) cookies.set(name, value)
  }
  return cookies
}
