import type { CompiledMessage } from 'icu-minify/format'
import compile from 'icu-minify/compile'

/** Compiles a message, for tests; the build, which compiles messages itself, leaves this out. */
export function readMessage(message: string): CompiledMessage {
  return compile(message)
}
