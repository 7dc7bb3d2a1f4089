import { redactor } from '@wadi/errors/redaction.ts'

const mark = '***'

/** Forms of secrets that are known without the secret: each keeps what stands before the value. */
const shapes: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY[A-Z ]*-----|$)/g, mark],
  // The parts of a JSON web token, whose first begins with an encoded `{"`.
  [/\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g, mark],
  [/\b((?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi, `$1${mark}`],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abp]-|AKIA)[\w-]{10,}/g, mark],
  [
    /((?:password|passwd|secret|token|api[-_]?key|private[-_]?key)["']?\s*[:=]\s*["']?)(?!\(set\)|true\b|false\b|null\b)[^\s"',;&}{)]{3,}/gi,
    `$1${mark}`,
  ],
]

/**
 * Returns a function that puts `***` in the place of what looks like a secret, of given ones, and of users and passwords in URLs. Files of a
 * bundle are made without secrets; this is for what a message of somebody else may quote.
 */
export function withoutSecrets(known: Iterable<string>): (text: string) => string {
  const hide = redactor(known)
  return (text) => shapes.reduce((clean, [shape, kept]) => clean.replaceAll(shape, kept), hide(text))
}
