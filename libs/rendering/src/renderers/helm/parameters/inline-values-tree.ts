import type { Location } from '@wadi/errors/location.ts'
import { readLocatedYaml } from '@wadi/params/yaml/located-yaml.ts'
import type { Located } from '@wadi/params/values/value.ts'

/**
 * The values that stand as a text in an option. Of a literal block in a file each value has its own line; everything else
 * is written at the place of the option.
 * @param fileText that of the file in which the option is
 * @throws InvalidInputError naming the option's place for a text that is not a map
 */
export function inlineValuesTree(option: Located, fileText: string | undefined): Located | undefined {
  if (typeof option.value !== 'string' || option.value.trim() === '') return undefined
  const { file, line } = option.at
  const tree = readLocatedYaml(option.value, `${file}: helm.values`, { rules: 'kubernetes' })
  const header = line === undefined ? undefined : fileText?.split(/\r\n|\r|\n/)[line - 1]
  const isLiteral = header !== undefined && /:\s+\|[-+\d]*\s*(?:#.*)?$/.test(header)
  return relocated(tree, (inner) =>
    isLiteral && line !== undefined && inner.line !== undefined
      ? { file, line: line + inner.line }
      : option.at,
  )
}

function relocated(tree: Located, place: (inner: Location) => Location): Located {
  const { parts, ...rest } = tree
  if (parts === undefined) return { ...rest, at: place(tree.at) }
  const moved = Array.from(parts, ([key, part]): [string, Located] => [key, relocated(part, place)])
  return { ...rest, at: place(tree.at), parts: new Map(moved) }
}
