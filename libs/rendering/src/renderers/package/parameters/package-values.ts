import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { resolve, type Resolution } from '@wadi/params/resolve/resolve.ts'
import type { Value } from '@wadi/params/values/value.ts'
import { type OpenPackage, openPackage } from '@wadi/zarf/definition/open-package.ts'
import { explainVariables } from '@wadi/zarf/templates/explain-variables.ts'
import { readSchema, readValuesLayers } from '@wadi/zarf/values/package-values.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { isBelow, parentPath } from '@wadi/file-trees/repository-path.ts'
import { TracingTree } from '@wadi/file-trees/tracing-tree.ts'
import { packageTree } from '@wadi/zarf/definition/package-tree.ts'

/** The values of a package that developers may set, from its files. */
export interface PackageValues extends OpenPackage {
  /** Lowest first. */
  readonly layers: readonly Layer[]
  readonly values: Resolution
  readonly variables: Resolution
  /** A JSON Schema; undefined when there is none. */
  readonly schema: Value | undefined
}

/**
 * Reads the values and variables of the package at a path.
 * @throws InvalidInputError for a file that cannot be read
 */
export async function readPackageValues(tree: FileTree, path: string): Promise<PackageValues> {
  const trace = new TracingTree(tree)
  const files = packageTree(trace, path, new InputCollector(trace))
  // The plan of the package has reported what is found.
  const opened = await openPackage(files, path, undefined, [])
  const layers = await readValuesLayers(files, opened.package, opened.config, {}, [])
  const schema = await readSchema(files, opened.package, [])
  const variables = explainVariables({
    package: opened.package,
    configured: opened.config.variables,
    given: new Map(),
    resolved: new Map(),
  })
  return { ...opened, layers, values: resolve(layers, 'deep'), variables, schema: schema?.schema }
}

/** True if a file is in the directory of the package, where its configuration is. */
export function isOwnFile(config: OpenPackage['config'], file: string): boolean {
  return isBelow(file, parentPath(config.path))
}

/** A path as the name of a parameter: a dot before each key, and `\.` for a dot in one. */
export function valueName(path: readonly string[]): string {
  return path.map((key) => `.${key.replaceAll('.', '\\.')}`).join('')
}

/**
 * The path that a name means.
 * @throws InvalidInputError for a name without a key
 */
export function valuePath(name: string): string[] {
  const keys = name.split(/(?<!\\)\./).slice(1)
  if (keys.length === 0 || keys.includes(''))
    throw new InvalidInputError(
      `${JSON.stringify(name)} is not a value; write a dot before each key, as in .app.replicas`,
    )
  return keys.map((key) => key.replaceAll('\\.', '.'))
}
