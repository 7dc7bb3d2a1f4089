/**
 * Returns the address where an OCI registry wants a token to be requested; undefined when it wants none.
 * @param challenge the value of its `WWW-Authenticate`
 * @param scope the rights of the token, such as `repository:team/shop:pull`; none if it is empty
 */
export function tokenAddress(challenge: string, scope: string): URL | undefined {
  const parameters = new Map(
    Array.from(challenge.matchAll(/(\w+)="([^"]*)"/g), ([, key = '', value = '']) => [
      key.toLowerCase(),
      value,
    ]),
  )
  const address = URL.parse(parameters.get('realm') ?? '')
  if (!/^bearer\b/i.test(challenge) || address === null) return undefined
  const service = parameters.get('service')
  if (service !== undefined) address.searchParams.set('service', service)
  if (scope !== '') address.searchParams.set('scope', scope)
  return address
}
