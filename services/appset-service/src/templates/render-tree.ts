import { isRecord } from '@wadi/resources/object-checks.ts'
import type { TextRenderer } from './text-engine.ts'

/** Renders every text of a JSON value, keys of maps among them; other values stay as they are. */
export function renderTree(tree: unknown, render: TextRenderer, path: string): unknown {
  if (typeof tree === 'string') return render(tree, path)
  if (Array.isArray(tree)) {
    return tree.map((item: unknown, index) => renderTree(item, render, `${path}[${index}]`))
  }
  if (!isRecord(tree)) return tree
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => {
      const at = `${path}.${key}`
      return [render(key, at), renderTree(value, render, at)]
    }),
  )
}
