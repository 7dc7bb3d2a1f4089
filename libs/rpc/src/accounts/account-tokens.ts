import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileToken } from '@wadi/kubernetes/config/file-token.ts'

/** Returns the token for one audience, read again after the kubelet has renewed it; undefined where there is none. */
export type AccountTokens = (audience: string) => (() => Promise<string>) | undefined

/**
 * Finds the tokens of a directory: a file for each audience, named after it. A directory that does not exist has none.
 * @throws UnavailableError by a token that cannot be read and never could
 */
export async function findAccountTokens(directory: string): Promise<AccountTokens> {
  // The kubelet keeps generations of the files behind names with dots.
  const names = (await namesIn(directory)).filter((name) => !name.startsWith('.'))
  const tokens = new Map(names.map((name) => [name, fileToken(path.join(directory, name))]))
  return (audience) => tokens.get(audience)
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
