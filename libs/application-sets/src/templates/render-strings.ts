import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { PlacedText, TextRenderer } from './text-engine.ts'

/** Renders every text of a JSON value, keys of maps among them; other values stay as they are. */
export async function renderStrings(tree: unknown, render: TextRenderer, path: string): Promise<unknown> {
  const texts: PlacedText[] = []
  collectTexts(tree, path, texts)
  const rendered = (await render(texts)).values()
  return withTexts(tree, () => rendered.next().value ?? '')
}

function collectTexts(tree: unknown, path: string, texts: PlacedText[]): void {
  if (typeof tree === 'string') texts.push({ path, text: tree })
  else if (Array.isArray(tree)) {
    for (const [index, item] of tree.entries()) collectTexts(item, `${path}[${index}]`, texts)
  } else if (isJsonObject(tree)) {
    for (const [key, value] of Object.entries(tree)) {
      texts.push({ path: `${path}.${key}`, text: key })
      collectTexts(value, `${path}.${key}`, texts)
    }
  }
}

/** The tree with what `next` gives in the place of each text, in the order in which `collectTexts` finds them. */
function withTexts(tree: unknown, next: () => string): unknown {
  if (typeof tree === 'string') return next()
  if (Array.isArray(tree)) return tree.map((item: unknown) => withTexts(item, next))
  if (!isJsonObject(tree)) return tree
  return Object.fromEntries(Object.values(tree).map((value) => [next(), withTexts(value, next)]))
}
