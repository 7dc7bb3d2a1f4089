import { fileText } from '@wadi/manifests/file-text.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { inferScalar } from '@wadi/params/resolve/assign.ts'
import { partAt } from '@wadi/params/values/located.ts'
import { parseKeyPath } from '@wadi/params/values/path.ts'
import { isValueMap, type Located } from '@wadi/params/values/value.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import { maxConfigFileBytes } from '../../../source/config-file.ts'
import type { DocumentChange } from '../../../parameters/stored-values/edit-documents.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'

const deploy = ['package', 'deploy']

/** The changes of a configuration that set a value of the package in `set_values`, or take it away wherever it is there. */
export async function settingChanges(
  tree: FileTree,
  file: string,
  path: readonly string[],
  value: JsonValue | undefined,
): Promise<DocumentChange[]> {
  const settings = [...deploy, 'set_values']
  const covering = (await entriesAt(tree, file, settings)).flatMap(([key, part]) => {
    const above = parseKeyPath(key.startsWith('.') ? key : `.${key}`)
    const rest = path.slice(above.length)
    const isAbove = above.every((step, depth) => step === path[depth])
    return isAbove && partAt(part, rest) !== undefined ? [{ key, rest }] : []
  })
  if (value === undefined)
    return covering.map(({ key, rest }) => ({
      file,
      change: { path: [...settings, key, ...rest], value: undefined },
    }))
  const { key, rest } = covering.at(-1) ?? newSetting(path, value)
  const text = rest.length === 0 ? asSetting(value) : value
  return [{ file, change: { path: [...settings, key, ...rest], value: text } }]
}

/** The change of a configuration that sets a variable of the package, under the name that is written there already. */
export async function variableChange(
  tree: FileTree,
  file: string,
  name: string,
  value: JsonValue | undefined,
): Promise<DocumentChange> {
  const variables = [...deploy, 'set']
  const keys = (await entriesAt(tree, file, variables)).map(([key]) => key)
  const key = keys.findLast((each) => each.toUpperCase() === name) ?? name.toLowerCase()
  return { file, change: { path: [...variables, key], value } }
}

async function entriesAt(
  tree: FileTree,
  file: string,
  path: readonly string[],
): Promise<[string, Located][]> {
  const found = await followPath(tree, file)
  if (found === undefined) return []
  const text = fileText(await tree.read(found.target, maxConfigFileBytes), file)
  const map = partAt(readLocatedYaml(text, file), path)
  if (map === undefined || !isValueMap(map.value)) return []
  return [...map.value.keys()].flatMap((key): [string, Located][] => {
    const part = partAt(map, [key])
    return part === undefined ? [] : [[key, part]]
  })
}

/** A setting takes texts, integers and booleans; every other scalar, and a key with a dot, has to be inside of an object. */
function newSetting(path: readonly string[], value: JsonValue): { key: string; rest: readonly string[] } {
  const isFraction = typeof value === 'number' && !Number.isInteger(value)
  const most = value === null || isFraction ? path.length - 1 : path.length
  const dotted = path.findIndex((key) => key.includes('.'))
  const depth = dotted === -1 ? most : Math.min(most, dotted)
  return { key: `.${path.slice(0, depth).join('.')}`, rest: path.slice(depth) }
}

/** A text that would be taken for an integer or a boolean needs quotes of its own. */
function asSetting(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value
  return inferScalar(value) === value ? value : `'${value}'`
}
