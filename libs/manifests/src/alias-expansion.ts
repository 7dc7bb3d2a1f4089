import { composeYaml } from './compose-yaml.ts'
import type { CompositionLimits } from './compose-yaml.ts'
import type { NodeBuilder } from './node-builder.ts'
import { readYamlSource } from './yaml-source.ts'

/** The marks of a text that names a part of it, and that repeats one. */
const anchorAndAlias = [/(?:^|[\s[{,:-])&[^\s,[\]{}]/m, /(?:^|[\s[{,:-])\*[^\s,[\]{}]/m] as const

/** Builds nothing and rejects nothing, so that limits and aliases alone are checked. */
const noNodes: NodeBuilder<null, null> = {
  scalar: () => null,
  nothing: () => null,
  list: () => null,
  start: () => null,
  has: () => false,
  put: () => {},
  finish: () => null,
  key: () => '',
  items: () => undefined,
  members: () => [],
  repeat: () => null,
}

/**
 * Bounds how many nodes a text of YAML has once every alias is replaced by what it repeats, for texts that another program
 * reads. A text without aliases is not looked at.
 * @param file names the text in messages
 * @throws ResourceExhaustedError (`file:line: …`) above a limit, InvalidInputError for text that is not YAML or whose
 * aliases repeat nothing
 */
export function boundAliasExpansion(text: string, file: string, limits: CompositionLimits): void {
  if (!anchorAndAlias.every((pattern) => pattern.test(text))) return
  composeYaml(readYamlSource(file, text, limits.maxDepth), noNodes, limits)
}
