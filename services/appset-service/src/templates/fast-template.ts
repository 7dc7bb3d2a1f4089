import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/**
 * Replaces `{{ key }}` by the rules of Argo CD's default engine: the key is one flat name, and a tag whose key is unknown
 * or no text stays as it is. A text without `{{` and a later `}}` in one line is no template.
 * @throws InvalidInputError for a tag without an end
 */
export function renderFastTemplate(text: string, values: Readonly<Record<string, unknown>>): string {
  if (!/\{\{.*\}\}/.test(text)) return text
  let rendered = ''
  let at = 0
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    const close = text.indexOf('}}', open + 2)
    if (close < 0) {
      throw new InvalidInputError(
        `invalid template: Cannot find end tag="}}" in ${JSON.stringify(text.slice(open, open + 100))}`,
      )
    }
    const key = text.slice(open + 2, close).trim()
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    rendered += text.slice(at, open) + (typeof value === 'string' ? value : text.slice(open, close + 2))
    at = close + 2
  }
  return rendered + text.slice(at)
}
