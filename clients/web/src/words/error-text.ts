import { Code, ConnectError } from '@connectrpc/connect'
import { visibleText } from './visible-text.ts'

/** The prefix by which the gateway rejects what the policy does not allow; a remote rejects in its own words. */
const ownRefusal = 'permission denied: '

/** Matches the errors of browsers and Vite about a script or style of a page that was not loaded. */
const lostPart = /preload CSS|dynamically imported module|importing a module script/i

/** Returns what a failed call says to people. */
export function errorText(error: unknown): string {
  const { code, rawMessage } = ConnectError.from(error)
  if (code === Code.PermissionDenied && rawMessage.startsWith(ownRefusal))
    return `You may not do this: ${visibleText(rawMessage)}`
  if (lostPart.test(rawMessage))
    return 'This part of the console cannot be loaded: the server cannot be reached, or it was updated. Check the network, then reload.'
  if (code === Code.Unknown && rawMessage.includes('fetch'))
    return 'The server cannot be reached. Check the network and try again.'
  return rawMessage === '' ? `The call failed (${Code[code]}).` : visibleText(rawMessage)
}
