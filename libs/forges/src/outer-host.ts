import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { isPrivateAddress } from '@wadi/git/network/private-addresses.ts'

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
