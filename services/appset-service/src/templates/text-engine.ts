import { DomainError, InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { TemplateEngine } from '@wadi/gotemplate/template.ts'
import { isRecord } from '@wadi/resources/object-checks.ts'
import type { MissingKey } from '../application-set.ts'
import type { ParameterValues } from '../params/parameter-set.ts'
import { isTextMap } from '../params/text-map.ts'
import { renderFastTemplate } from './fast-template.ts'

/** Renders one text; `path` names the text in messages. */
export type TextRenderer = (text: string, path: string) => string

/** Makes renderers for one parameter set each. */
export type TextEngine = (values: Readonly<ParameterValues>) => TextRenderer

/** Characters that the texts of one parameter set may have when they are rendered. */
const maxRendered = 4 * 1024 * 1024

/** Characters of a template that an error repeats. */
const shownTemplate = 300

/** The default engine. */
export const fastEngine: TextEngine = (values) =>
  bounded((text, path) => {
    try {
      return renderFastTemplate(text, values)
    } catch (cause) {
      if (cause instanceof DomainError) cause.message = `${path}: ${cause.message}`
      throw cause
    }
  })

/** Go's own engine, for which every number is a float64 as in Argo CD, so that 1000000 prints as `1e+06`. */
export function goEngine(engine: TemplateEngine, missingKey: MissingKey): TextEngine {
  return (values) => {
    const data = withFloats(values)
    const textMaps = textMapPaths(values)
    return bounded((text, path) => {
      if (!text.includes('{{')) return text
      try {
        return engine.render({ name: path, text, data, textMaps, missingKey })
      } catch (cause) {
        if (!(cause instanceof InvalidInputError)) throw cause
        const failed = isParsed(engine, path, text) ? 'execute go template' : 'parse template'
        const shown = text.length > shownTemplate ? `${text.slice(0, shownTemplate)}…` : text
        throw new InvalidInputError(`${path}: failed to ${failed} ${shown}: ${cause.message}`, { cause })
      }
    })
  }
}

function isParsed(engine: TemplateEngine, path: string, text: string): boolean {
  try {
    engine.check(path, text)
    return true
  } catch {
    return false
  }
}

function bounded(render: TextRenderer): TextRenderer {
  let length = 0
  return (text, path) => {
    const rendered = render(text, path)
    length += rendered.length
    if (length <= maxRendered) return rendered
    throw new ResourceExhaustedError(
      `${path}: the texts that are rendered for one parameter set have more than ${maxRendered} bytes`,
    )
  }
}

/** Where the maps of texts stand in a value. */
function textMapPaths(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  if (isTextMap(value)) return [[...path]]
  return Object.entries(value).flatMap(([key, member]) => textMapPaths(member, [...path, key]))
}

/** The engine reads `1` as an integer and `1e0` as a float. */
function withFloats(value: unknown): unknown {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return value
    const text = Object.is(value, -0) ? '-0' : String(value)
    return JSON.rawJSON(text.includes('e') ? text : `${text}e0`)
  }
  if (Array.isArray(value)) return value.map(withFloats)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withFloats(item)]))
}
