import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Forge } from './forge.ts'

/** The names of an API's address and of its token, in the words of the one who set them. */
export interface AddressWords {
  /** The setting with the address, for example `forgeUrl`. */
  readonly address: string
  /** The setting with the token, for example `password`. */
  readonly token: string
}

/** The address that an `api` stands for, which is the forge's public one when it is empty. */
export function apiOf({ defaultApi }: Pick<Forge, 'defaultApi'>, api: string): string {
  return api === '' ? defaultApi : api
}

/** One spelling for addresses that mean the same API; a text that is not an address stays as it is. */
export function comparableApi(api: string): string {
  return URL.parse(api)?.href.replace(/\/+$/, '') ?? api
}

/**
 * The address below which the API of a forge answers, with a slash at the end: the part for the version is added unless
 * it is there.
 * @throws InvalidInputError unless it is http or https without a user, a query and a fragment
 */
export function apiBase(
  forge: Pick<Forge, 'name' | 'defaultApi' | 'versionPath'>,
  api: string,
  { address, token }: AddressWords = { address: `${forge.name}.api`, token: 'tokenRef' },
): URL {
  const url = URL.parse(apiOf(forge, api))
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidInputError(`${address} must be an address that begins with https:// or http://`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidInputError(`${address} must not contain a user or a password; use ${token}`)
  }
  if (url.search !== '' || url.hash !== '') {
    throw new InvalidInputError(`${address} must not contain a query or a fragment`)
  }
  const path = url.pathname.replace(/\/+$/, '')
  const version = forge.versionPath(url.hostname)
  url.pathname = path.endsWith(version) ? `${path}/` : `${path}${version}/`
  return url
}
