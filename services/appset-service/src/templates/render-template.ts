import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { TemplateEngine } from '@wadi/gotemplate/template.ts'
import { isRecord } from '@wadi/resources/object-checks.ts'
import type { MissingKey } from '../application-set.ts'
import { renderFastTemplate } from './fast-template.ts'

/** Renders one text with the values of one Application; `path` names the text in messages. */
export type TextRenderer = (text: string, values: Readonly<Record<string, unknown>>, path: string) => string

/** The default engine. */
export const fastRenderer: TextRenderer = (text, values, path) => {
  try {
    return renderFastTemplate(text, values)
  } catch (cause) {
    if (cause instanceof InvalidInputError)
      throw new InvalidInputError(`${path}: ${cause.message}`, { cause })
    throw cause
  }
}

/** Go's own engine, whose messages start with the path. */
export function goRenderer(engine: TemplateEngine, missingKey: MissingKey): TextRenderer {
  return (text, values, path) =>
    text.includes('{{') ? engine.render({ name: path, text, data: values, missingKey }) : text
}

/** Renders every text of a template, keys of maps among them; other values stay as they are. */
export function renderTemplate(
  template: unknown,
  values: Readonly<Record<string, unknown>>,
  render: TextRenderer,
  path: string,
): unknown {
  if (typeof template === 'string') return render(template, values, path)
  if (Array.isArray(template)) {
    return template.map((item: unknown, index) => renderTemplate(item, values, render, `${path}[${index}]`))
  }
  if (!isRecord(template)) return template
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) => {
      const at = `${path}.${key}`
      return [render(key, values, at), renderTemplate(value, values, render, at)]
    }),
  )
}
