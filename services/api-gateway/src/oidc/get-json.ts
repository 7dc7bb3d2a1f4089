import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { askProvider } from './provider-request.ts'

/**
 * Reads a JSON document of a provider; redirects are not followed.
 * @param rootCA the authority of its certificate, PEM; empty for those of the system
 * @throws UnavailableError
 */
export async function getJson(url: string, rootCA: string): Promise<unknown> {
  try {
    const headers = { accept: 'application/json' }
    const { status, text } = await askProvider({ url, method: 'GET', headers, rootCA })
    if (status !== 200) throw new Error(`status ${status}`)
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UnavailableError(`the OpenID provider does not answer: GET ${url}: ${why}`, { cause: error })
  }
}
