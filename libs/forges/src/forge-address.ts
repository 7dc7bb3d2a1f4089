import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { InvalidInputError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { isPrivateAddress } from '@wadi/git/network/private-addresses.ts'

/** The kinds of forges; Forgejo speaks the API of Gitea, and Bitbucket Data Center another one than Bitbucket Cloud. */
export type ForgeName = 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'bitbucket-server'

/** What names the address of an API and the token for it, in the words of whoever set them. */
export interface AddressWords {
  /** The setting with the address, for example `forgeUrl`. */
  readonly address: string
  /** The setting with the token, for example `password`. */
  readonly token: string
}

const defaultApis: Readonly<Record<ForgeName, string>> = {
  github: 'https://api.github.com',
  gitlab: 'https://gitlab.com',
  gitea: '',
  bitbucket: 'https://api.bitbucket.org',
  'bitbucket-server': '',
}

const versionPaths: Readonly<Record<Exclude<ForgeName, 'github'>, string>> = {
  gitlab: '/api/v4',
  gitea: '/api/v1',
  bitbucket: '/2.0',
  'bitbucket-server': '/rest',
}

/** The address that an `api` stands for, which is the forge's public one when it is empty. */
export function apiOf(forge: ForgeName, api: string): string {
  return api === '' ? defaultApis[forge] : api
}

/** One spelling for addresses that mean the same API; a text that is not an address stays as it is. */
export function comparableApi(api: string): string {
  return URL.parse(api)?.href.replace(/\/+$/, '') ?? api
}

/**
 * The address below which the API of a forge answers, with a slash at the end: the part for the version is added unless
 * it is there, for GitHub only where the host is not one of an API alone, as Argo CD does it.
 * @throws InvalidInputError unless it is http or https without a user, a query and a fragment
 */
export function apiBase(
  forge: ForgeName,
  api: string,
  { address, token }: AddressWords = { address: `${forge}.api`, token: 'tokenRef' },
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
  const version = versionPath(forge, url.hostname)
  url.pathname = path.endsWith(version) ? `${path}/` : `${path}${version}/`
  return url
}

function versionPath(forge: ForgeName, host: string): string {
  if (forge !== 'github') return versionPaths[forge]
  return host.startsWith('api.') || host.includes('.api.') ? '' : '/api/v3'
}

/**
 * Refuses a host that is an inner address.
 * @throws PermissionDeniedError
 */
export function checkOuterHost({ hostname }: URL): void {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0 && isPrivateAddress(address)) throw innerAddress(hostname)
}

/**
 * Refuses a host whose name leads to an inner address.
 * @throws PermissionDeniedError, and errors of Node.js for a name that cannot be looked up
 */
export async function checkOuterName({ hostname }: URL): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  outerLookup(hostname.replace(/^\[(.*)\]$/, '$1'), {}, (error) => (error ? reject(error) : resolve()))
  return promise
}

/** Looks names up and refuses those that lead to an inner address; what was checked is what is connected to. */
export const outerLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) done(error, '')
    else if (addresses.some(({ address }) => isPrivateAddress(address))) done(innerAddress(host), '')
    else if (options.all === true) done(null, addresses)
    else done(null, addresses[0]?.address ?? '', addresses[0]?.family)
  })
}

function innerAddress(host: string): PermissionDeniedError {
  return new PermissionDeniedError(
    `${host} is an address of a private network, which generators may not ask; ` +
      'an operator can allow it by naming the API in WADI_SCM_ALLOWED_APIS',
  )
}
