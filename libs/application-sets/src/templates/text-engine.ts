import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { inPath, withPath } from '@wadi/errors/with-context.ts'
import type { TextsRequest } from '@wadi/engines/templates/render-texts.ts'
import type { MissingKey } from '../application-set.ts'
import type { ParameterValues } from '../params/parameter-set.ts'
import { isTextMap } from '../params/text-map.ts'
import { renderFastTemplate } from './fast-template.ts'

/** A text and its place, which names it in messages. */
export interface PlacedText {
  path: string
  text: string
}

/** Renders texts, in their order. */
export type TextRenderer = (texts: readonly PlacedText[]) => Promise<string[]>

/** Makes renderers for one parameter set each. */
export type TextEngine = (values: Readonly<ParameterValues>) => TextRenderer

/** Characters that the texts of one parameter set may have when they are rendered. */
const maxRendered = 4 * 1024 * 1024

/** The default engine. */
export const fastEngine: TextEngine = (values) =>
  bounded(async (texts) =>
    texts.map(({ text, path }) => withPath(path, () => renderFastTemplate(text, values))),
  )

/** Go's own engine; `renderTexts` has it, on a thread of its own. */
export function goEngine(
  renderTexts: (request: TextsRequest) => Promise<string[]>,
  missingKey: MissingKey,
): TextEngine {
  return (values) => {
    const textMaps = textMapPaths(values)
    return bounded(async (texts) => {
      const templates = texts.filter(({ text }) => text.includes('{{'))
      if (templates.length === 0) return texts.map(({ text }) => text)
      const rendered = await renderTexts({ texts: templates, data: values, textMaps, missingKey })
      const next = rendered.values()
      return texts.map(({ text }) => (text.includes('{{') ? (next.next().value ?? '') : text))
    })
  }
}

function bounded(render: TextRenderer): TextRenderer {
  let length = 0
  return async (texts) => {
    const rendered = await render(texts)
    for (const [index, text] of rendered.entries()) {
      length += text.length
      if (length <= maxRendered) continue
      throw inPath(
        String(texts[index]?.path),
        new ResourceExhaustedError(
          `the texts that are rendered for one parameter set have more than ${maxRendered} bytes`,
        ),
      )
    }
    return rendered
  }
}

/** Returns the paths of the maps of texts in a value. */
function textMapPaths(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  if (isTextMap(value)) return [[...path]]
  return Object.entries(value).flatMap(([key, member]) => textMapPaths(member, [...path, key]))
}
