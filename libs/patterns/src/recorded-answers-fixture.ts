import { readFile } from 'node:fs/promises'

/** The answers of an upstream implementation about one pattern. */
interface RecordedAnswer {
  pattern: string
  separators?: string
  /** A digit for each text: 1 for a match; `!` for a crash; `error` for a pattern that does not compile. */
  upstream: string
  /** The rule that holds here instead, if upstream contradicts its own description or differs for paths of files. */
  rules?: string
  /** Go's error for a pattern that does not compile. */
  error?: string
}

/** Reads the answers of a file in `testdata`, recorded by a program in Go. */
export async function recordedAnswers(name: string): Promise<{ texts: string[]; answers: RecordedAnswer[] }> {
  return JSON.parse(await readFile(new URL(`../testdata/${name}.json`, import.meta.url), 'utf8'))
}

/** Returns the answers of a pattern in the same form. */
export function answersOf(texts: readonly string[], compile: () => (text: string) => boolean): string {
  let matches: (text: string) => boolean
  try {
    matches = compile()
  } catch {
    return 'error'
  }
  return texts.map((text) => (matches(text) ? '1' : '0')).join('')
}
