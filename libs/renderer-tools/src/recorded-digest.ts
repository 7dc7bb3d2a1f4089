import { readFile } from 'node:fs/promises'

/** Returns the SHA-256 that `<program>.sha256` beside a program says it has, as `sha256sum` writes it; undefined without the file. */
export async function recordedDigest(program: string): Promise<string | undefined> {
  const text = await readFile(`${program}.sha256`, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (/^[0-9a-f]{64}/.exec(text)?.[0] ?? 'no digest')
}

/** Says that a program is not the recorded one. */
export function otherDigest(program: string, now: string, recorded: string): string {
  return `${program} has the digest sha256:${now}, and ${program}.sha256 says ${recorded}`
}
