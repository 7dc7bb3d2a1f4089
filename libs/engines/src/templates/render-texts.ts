import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { inPath } from '@wadi/errors/with-context.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import type { TemplateEngine } from './template.ts'

/** Texts that are rendered with the same values, of which every number is a float64, as in Argo CD: 1000000 prints as `1e+06`. */
export interface TextsRequest {
  /** Each with its place, which stands for it in messages; a text without `{{` is its own result. */
  texts: readonly { path: string; text: string }[]
  /** Values as JSON has them; `textMaps` and `missingKey` are those of the engine. */
  data: unknown
  textMaps?: readonly (readonly string[])[]
  missingKey?: 'default' | 'zero' | 'error'
}

/** Characters of a template that an error repeats. */
const shownTemplate = 300

/**
 * Renders texts one after the other.
 * @throws InvalidInputError for the first that cannot be rendered, with its place and whether it can be parsed at all;
 *   ResourceExhaustedError as the engine does
 */
export function renderTexts(
  engine: Pick<TemplateEngine, 'render' | 'check'>,
  { texts, data: values, textMaps = [], missingKey = 'default' }: TextsRequest,
): string[] {
  const data = withFloats(values)
  return texts.map(({ path, text }) => {
    if (!text.includes('{{')) return text
    try {
      return engine.render({ name: path, text, data, textMaps, missingKey })
    } catch (cause) {
      if (!(cause instanceof InvalidInputError)) throw cause
      const failed = isParsed(engine, path, text) ? 'execute go template' : 'parse template'
      const reason = `failed to ${failed} ${shortened(text, shownTemplate)}: ${cause.message}`
      throw inPath(path, new InvalidInputError(reason, { code: cause.code, cause }))
    }
  })
}

function isParsed(engine: Pick<TemplateEngine, 'check'>, path: string, text: string): boolean {
  try {
    engine.check(path, text)
    return true
  } catch {
    return false
  }
}

/** The engine reads `1` as an integer and `1e0` as a float. */
function withFloats(value: unknown): unknown {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return value
    const text = Object.is(value, -0) ? '-0' : String(value)
    return JSON.rawJSON(text.includes('e') ? text : `${text}e0`)
  }
  if (Array.isArray(value)) return value.map(withFloats)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withFloats(item)]))
}
