import { Code, ConnectError } from '@connectrpc/connect'

/** Returns what a failed call says to people. */
export function errorText(error: unknown): string {
  const { code, rawMessage } = ConnectError.from(error)
  if (code === Code.PermissionDenied) return `You may not do this: ${rawMessage}`
  if (code === Code.Unknown && rawMessage.includes('fetch'))
    return 'The server cannot be reached. Check the network and try again.'
  return rawMessage === '' ? `The call failed (${Code[code]}).` : rawMessage
}
