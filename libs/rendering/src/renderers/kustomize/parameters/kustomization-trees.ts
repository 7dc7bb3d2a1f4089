import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { locatedAt, locatedMap, partOf } from '@wadi/params/values/located.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import { maxConfigFileBytes } from '../../../source/config-file.ts'
import { setImages } from '@wadi/engines/kustomize/kustomize-image.ts'
import type { KustomizeBuild } from '../kustomize-build.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { parentPath } from '@wadi/file-trees/repository-path.ts'
import { imageText } from './kustomize-forms.ts'
import { scalarText } from '../../../source/scalar-text.ts'

/** Fields of a kustomization that decide objects and do not refer to them. */
const shownFields = new Set(
  `namePrefix nameSuffix namespace images replicas commonLabels labels commonAnnotations components patches
  configMapGenerator`.split(/\s+/),
)
/** Fields to which options add at the end. */
const growingFields = ['patches', 'components']
/** Fields with one entry for each name, of which options have lists. */
const namedFields = ['images', 'replicas', 'configMapGenerator']

/**
 * Returns the values that the kustomization of a plan sets, with the options over it, and those that each kustomization
 * below it sets. An image, a replica count and a label are one value each, patches and components are numbered as they
 * are applied.
 * @param options the options as layers, the weakest first
 * @throws InvalidInputError naming file and line for a kustomization that cannot be read
 */
export async function kustomizationTrees(
  tree: FileTree,
  plan: Pick<KustomizeBuild, 'file' | 'kustomizations'>,
  options: readonly Layer[],
): Promise<ParameterTree[]> {
  const trees: ParameterTree[] = []
  for (const file of plan.kustomizations) {
    const own = await readKustomization(tree, file)
    const layers = file === plan.file ? layersOver(own, options) : [layerOf(own)]
    const resolution = resolve(layers, 'deep')
    if (!isValueMap(resolution.tree) || resolution.tree.size === 0) continue
    trees.push({ name: `kustomization ${JSON.stringify(parentPath(file) || '.')}`, resolution })
  }
  return trees
}

async function readKustomization(tree: FileTree, file: string): Promise<Located> {
  const found = await followPath(tree, file)
  const content = await tree.read(found?.target ?? file, maxConfigFileBytes)
  const written = readLocatedYaml(fileText(content, file), file, { rules: 'kubernetes' })
  const parts = [...partsOf(written)].filter(([field]) => shownFields.has(field))
  return keyed(locatedMap(new Map(parts), { file }), {})
}

function layerOf(tree: Located): Layer {
  return { rank: 0, owner: 'tool', kind: 'default', tree, label: 'kustomization' }
}

/** Options are merge patches, so that of several lists only the last one applies: the others may only be overridden by it. */
function layersOver(own: Located, options: readonly Layer[]): Layer[] {
  const starts = Object.fromEntries(growingFields.map((field) => [field, partsOf(partOf(own, field)).size]))
  const layers: Layer[] = []
  const counting = new Map<string, ReadonlySet<string>>()
  for (const layer of options.toReversed()) {
    const tree = keyed(layer.tree, starts)
    const parts = new Map(partsOf(tree))
    for (const field of [...namedFields, ...growingFields]) {
      const part = parts.get(field)
      if (part === undefined) continue
      const keys = counting.get(field)
      if (keys === undefined) counting.set(field, new Set(partsOf(part).keys()))
      else parts.set(field, locatedMap(new Map([...partsOf(part)].filter(([key]) => keys.has(key))), part.at))
    }
    layers.unshift({ ...layer, tree: locatedMap(parts, tree.at) })
  }
  return [layerOf(own), ...layers]
}

/** A kustomization, or options for one, in which everything that can be shown separately has its own key. */
function keyed(tree: Located, starts: Readonly<Record<string, number>>): Located {
  const labels = hasPlainLabels(tree) ? 'labels' : 'commonLabels'
  const parts = [...partsOf(tree)].map(([field, part]): [string, Located] => {
    if (field === 'images') return [field, byKey(part, imageEntry)]
    if (field === 'replicas')
      return [field, byKey(part, (item) => [nameOf(item), partOf(item, 'count') ?? item])]
    if (field === 'configMapGenerator')
      return [field, byKey(part, (item) => [nameOf(item), withoutName(item)])]
    if (field === 'labels') return [field, pairsOf(part)]
    if (field === 'commonLabels') return [labels, part]
    if (!growingFields.includes(field)) return [field, part]
    let position = starts[field] ?? 0
    return [field, byKey(part, (item) => [String(position++), patchText(item)])]
  })
  return locatedMap(new Map(parts), tree.at)
}

function hasPlainLabels(options: Located): boolean {
  return ['labelWithoutSelector', 'labelIncludeTemplates'].some((key) => partOf(options, key)?.value === true)
}

/** A list as a map; anything else stays, because Kustomize reports its own error for it. */
function byKey(list: Located, entryOf: (item: Located) => [string, Located]): Located {
  const items = itemsOf(list)
  return items === undefined ? list : locatedMap(new Map(items.map(entryOf)), list.at)
}

function imageEntry(item: Located): [string, Located] {
  const image = toJson(item.value)
  if (isJsonObject(image)) {
    const { name, newName, newTag, digest } = image
    const text = imageText({
      name: scalarText(name),
      ...(newName !== undefined && { newName: scalarText(newName) }),
      ...(newTag !== undefined && { newTag: scalarText(newTag) }),
      ...(digest !== undefined && { digest: scalarText(digest) }),
    })
    return [scalarText(name), locatedAt(text, item.at)]
  }
  const written = scalarText(image)
  try {
    const [read] = setImages([], [written])
    if (read !== undefined) return [read.name, { ...item, value: imageText(read) }]
  } catch (error) {
    // The build refuses it in its own words.
    if (!(error instanceof InvalidInputError)) throw error
  }
  return [written, item]
}

/** A patch as one text, since its fields do not come from several places: its file or what it does, and to what. */
function patchText(item: Located): Located {
  const patch = toJson(item.value)
  if (!isJsonObject(patch)) return item
  const { path, patch: written, target } = patch
  const to = target === undefined ? '' : ` for ${JSON.stringify(target)}`
  return locatedAt(`${scalarText(path ?? written)}${to}`, item.at)
}

function nameOf(item: Located): string {
  return scalarText(partOf(item, 'name')?.value)
}

function withoutName(item: Located): Located {
  return locatedMap(new Map([...partsOf(item)].filter(([key]) => key !== 'name')), item.at)
}

function pairsOf(sets: Located): Located {
  const pairs = (itemsOf(sets) ?? []).flatMap((set) => [...partsOf(partOf(set, 'pairs'))])
  return locatedMap(new Map(pairs), sets.at)
}

function itemsOf(list: Located): Located[] | undefined {
  if (!Array.isArray(list.value)) return undefined
  return Array.from(list.value, (_, index) => partOf(list, String(index))).filter(
    (item) => item !== undefined,
  )
}

function partsOf(tree: Located | undefined): ReadonlyMap<string, Located> {
  const parts = new Map<string, Located>()
  for (const key of isValueMap(tree?.value) ? tree.value.keys() : []) {
    const part = tree && partOf(tree, key)
    if (part !== undefined) parts.set(key, part)
  }
  return parts
}
