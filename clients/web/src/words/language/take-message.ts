import type { CompiledMessage } from 'icu-minify/format'

/** Returns a message as the build has compiled it. */
export function readMessage(message: CompiledMessage): CompiledMessage {
  return message
}
