import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'

/** Characters that one text may have when it is rendered. */
const maxLength = 1024 * 1024

/**
 * Replaces `{{ key }}` by the rules of Argo CD's default engine: the key is one flat name, and a tag whose key is unknown
 * or no text stays as it is. A text without `{{` and a later `}}` in one line is not a template.
 * @throws InvalidInputError for a tag without an end, ResourceExhaustedError for a result above 1 MiB
 */
export function renderFastTemplate(text: string, values: Readonly<Record<string, unknown>>): string {
  if (!hasTag(text)) return text
  const parts: string[] = []
  let length = 0
  let at = 0
  const add = (part: string): void => {
    length += part.length
    if (length > maxLength)
      throw new ResourceExhaustedError(`the rendered text has more than ${maxLength} bytes`)
    parts.push(part)
  }
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    const close = text.indexOf('}}', open + 2)
    if (close < 0) {
      throw new InvalidInputError(
        `invalid template: Cannot find end tag="}}" in ${JSON.stringify(text.slice(open, open + 100))}`,
      )
    }
    const key = text.slice(open + 2, close).trim()
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    add(text.slice(at, open))
    add(typeof value === 'string' ? value : text.slice(open, close + 2))
    at = close + 2
  }
  add(text.slice(at))
  return parts.join('')
}

/** True if a line has `{{` and a `}}` after it. */
function hasTag(text: string): boolean {
  return text.split('\n').some((line) => {
    const open = line.indexOf('{{')
    return open >= 0 && line.includes('}}', open + 2)
  })
}
