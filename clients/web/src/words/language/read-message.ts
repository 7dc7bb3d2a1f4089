import type { CompiledMessage } from 'icu-minify/format'
import compile from 'icu-minify/compile'

/** Compiles a message, for tests, which no build has prepared. */
export function readMessage(message: string): CompiledMessage {
  return compile(message)
}
