import type { Layer } from '@wadi/params/resolve/layer.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { mergeLocated } from '@wadi/params/resolve/merge-located.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import type { OptionLayer } from '../../source/option-origin.ts'
import { withMembers } from './with-members.ts'

/**
 * The options of one renderer as trees, the weakest first, which merged deep give what the merge patches give: a null
 * takes with it what the places before had there.
 */
export function optionTrees(layers: readonly OptionLayer[], renderer: string): Located[] {
  const trees: Located[] = []
  for (const [index, layer] of layers.entries()) {
    const tree = layer.tree()
    const part = partOf(tree, renderer)
    if (part === undefined) continue
    if (!isValueMap(part.value)) trees.length = 0
    else if (index === 0) trees.push(part)
    else {
      const left = trees.map((lower) => withoutRemoved(lower, part))
      trees.splice(0, trees.length, ...left, withoutNulls(part))
    }
  }
  return trees
}

/** The options of one renderer as layers of what developers decide. */
export function optionLayersOf(layers: readonly OptionLayer[], renderer: string): Layer[] {
  return optionTrees(layers, renderer).map((tree) => developerLayer(tree, `${renderer} options`))
}

/** The options of one renderer as layers, those of a `Render`'s spec over what developers decide. */
export function renderedOptionLayers(
  layers: readonly OptionLayer[],
  spec: Located,
  renderer: string,
): Layer[] {
  const trees = optionTrees([...layers, { kind: 'git', tree: () => spec, text: '' }], renderer)
  const ofRender = partOf(spec, renderer) === undefined ? trees.length : trees.length - 1
  return trees.map((tree, index) =>
    index === ofRender
      ? operatorLayer(tree, `Render ${renderer} options`)
      : developerLayer(tree, `${renderer} options`),
  )
}

/** A layer of what developers decide. */
export function developerLayer(tree: Located, label: string): Layer {
  return { rank: 2, owner: 'developer', kind: 'value', tree, label }
}

/** A layer of what operators decide. */
export function operatorLayer(tree: Located, label: string): Layer {
  return { rank: 3, owner: 'operator', kind: 'value', tree, label }
}

/** All trees as one. */
export function mergedTrees(trees: readonly Located[]): Located {
  return trees.reduce(mergeLocated, { value: new Map(), at: { file: '' } })
}

function withoutRemoved(lower: Located, patch: Located): Located {
  return withMembers(lower, (key, part) => {
    const over = partOf(patch, key)
    if (over === undefined) return part
    if (over.value === null) return undefined
    return isValueMap(over.value) && isValueMap(part.value) ? withoutRemoved(part, over) : part
  })
}

function withoutNulls(patch: Located): Located {
  return withMembers(patch, (_, part) => {
    if (part.value === null) return undefined
    return isValueMap(part.value) ? withoutNulls(part) : part
  })
}
