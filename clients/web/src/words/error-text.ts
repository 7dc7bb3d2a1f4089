import { Code, ConnectError } from '@connectrpc/connect'
import { t } from '../language/t.ts'
import { visibleText } from './visible-text.ts'

/** The prefix by which the gateway rejects what the policy does not allow; a remote rejects in its own words. */
const ownRefusal = 'permission denied: '

/** Matches the errors of browsers and Vite about a script or style of a page that was not loaded. */
const lostPart = /preload CSS|dynamically imported module|importing a module script/i

/** Returns what a failed call says to people: words of the console, and those of the server, which are English; empty for none. */
export function errorWords(error: unknown): { own: string; server: string } {
  const { code, rawMessage } = ConnectError.from(error)
  const server = visibleText(rawMessage)
  if (code === Code.PermissionDenied && rawMessage.startsWith(ownRefusal))
    return { own: t('You may not do this:'), server }
  if (lostPart.test(rawMessage))
    return {
      own: t(
        'This part of the console cannot be loaded: the server cannot be reached, or it was updated. Check the network, then reload.',
      ),
      server: '',
    }
  if (code === Code.Unknown && rawMessage.includes('fetch'))
    return { own: t('The server cannot be reached. Check the network and try again.'), server: '' }
  if (rawMessage === '') return { own: t('The call failed ({code}).', { code: Code[code] }), server: '' }
  return { own: '', server }
}
