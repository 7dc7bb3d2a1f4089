import { isJsonObject } from '@wadi/fields/json-object.ts'

const maxReason = 300

/** Returns the reason in the body of a failure, in one line; empty for bodies that are not JSON or have none. */
export function spokenReason(body: string): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return ''
  }
  const line = textsOf(parsed).join(', ').replaceAll(/\s+/g, ' ').trim()
  return line.length > maxReason ? `${line.slice(0, maxReason)}…` : line
}

/** GitHub and Gitea have `message` and `errors`, GitLab `message` or `error`, Bitbucket `error.message` or `errors[].message`. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.slice(0, 5).flatMap(textsOf)
  if (!isJsonObject(value)) return []
  return ['message', 'error', 'errors'].flatMap((key) => textsOf(value[key]))
}
