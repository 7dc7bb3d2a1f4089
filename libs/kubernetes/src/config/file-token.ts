import { readFile } from 'node:fs/promises'
import { UnavailableError } from '@wadi/errors/domain-error.ts'

/** The kubelet renews a bound token when a fifth of its life is left, of one hour's that is 12 minutes. */
const rereadMs = 60_000

/**
 * Returns the token of a file, and reads the file again when its content is a minute old, or was refused. While the file cannot be read,
 * the previous token is used.
 * @param now a clock in milliseconds
 */
export function fileToken(
  file: string,
  now: () => number = () => performance.now(),
): (refused?: string) => Promise<string> {
  let token: { text: string; readAt: number } | undefined
  return async (refused) => {
    if (token !== undefined && token.text !== refused && now() - token.readAt < rereadMs) return token.text
    try {
      token = { text: (await readFile(file, 'utf8')).trim(), readAt: now() }
    } catch (error) {
      if (token === undefined) {
        throw new UnavailableError(
          `the token file ${file} cannot be read; mount the service account's token`,
          {
            cause: error,
          },
        )
      }
    }
    return token.text
  }
}
