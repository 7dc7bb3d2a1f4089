import { Code, ConnectError } from '@connectrpc/connect'

/**
 * Makes the handler of a method that has no meaning in Wadi, whatever the request says.
 * @param words the reason and what to do instead; Argo CD's command line prints them
 */
export function unsupported(words: string): () => never {
  return () => {
    throw new ConnectError(words, Code.Unimplemented)
  }
}
