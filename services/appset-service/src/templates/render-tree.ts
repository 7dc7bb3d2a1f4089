import { isRecord } from '@wadi/resources/object-checks.ts'
import type { TextRenderer } from './text-engine.ts'

/**
 * Renders every text of a JSON value, keys of maps among them; other values stay as they are. `pace` comes before each
 * template, as one alone may take long.
 */
export async function renderTree(
  tree: unknown,
  render: TextRenderer,
  path: string,
  pace: () => Promise<void>,
): Promise<unknown> {
  if (typeof tree === 'string') {
    if (tree.includes('{{')) await pace()
    return render(tree, path)
  }
  if (Array.isArray(tree)) {
    const items: unknown[] = []
    for (const [index, item] of tree.entries()) {
      items.push(await renderTree(item, render, `${path}[${index}]`, pace))
    }
    return items
  }
  if (!isRecord(tree)) return tree
  const entries: [string, unknown][] = []
  for (const [key, value] of Object.entries(tree)) {
    const at = `${path}.${key}`
    entries.push([render(key, at), await renderTree(value, render, at, pace)])
  }
  return Object.fromEntries(entries)
}
