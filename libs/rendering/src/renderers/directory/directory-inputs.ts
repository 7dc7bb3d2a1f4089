import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import type { BuildEnvironment } from '../../source/build-environment.ts'
import type { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { addJsonnetImports } from './jsonnet-imports.ts'
import { byName } from '@wadi/order/by-name.ts'
import { childPath, pathWithin } from '@wadi/file-trees/repository-path.ts'
import type { DirectoryOptions } from './directory-option-schema.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

/** A variable of Jsonnet: text, or code that is evaluated. */
interface JsonnetVariable {
  readonly name: string
  readonly value: string
  readonly code: boolean
}

/** The files of a directory source, relative to the repository's root, in the order in which Argo CD reads them. */
export interface DirectoryFiles {
  readonly files: readonly string[]
  /** Directories in which Jsonnet looks for imports that are not beside the importing file. */
  readonly libraries: readonly string[]
  /** Every file that the Jsonnet files import, directly or not. */
  readonly imports: readonly string[]
  readonly externalVariables: readonly JsonnetVariable[]
  readonly topLevelArguments: readonly JsonnetVariable[]
}

/** Most files of one directory source. */
const maxFiles = 20_000

/**
 * Finds the files that a directory source consists of and adds them and what they import to `inputs`.
 * A file matches by its extension (yaml, yml, json, jsonnet), unless `disableExtensionFilter`, by `include` and not by `exclude`.
 */
export async function planDirectory(
  tree: TracingTree,
  path: string,
  options: DirectoryOptions,
  environment: BuildEnvironment,
  inputs: InputCollector,
): Promise<DirectoryFiles> {
  const included = options.include ? compileArgoGlob(options.include) : () => true
  const excluded = options.exclude ? compileArgoGlob(options.exclude) : () => false
  const files: string[] = []
  const walk = async (directory: string, relative: string): Promise<void> => {
    const followed = await inputs.follow(directory)
    // Git has a directory behind files with its name and a dot.
    for (const entry of (await tree.list(followed)).toSorted(byName)) {
      const file = childPath(directory, entry.name)
      const fileRelative = childPath(relative, entry.name)
      if (entry.kind === 'directory') {
        if (options.recurse === true) await walk(file, fileRelative)
        continue
      }
      if (entry.kind === 'submodule' || isOverride(entry.name)) continue
      if (options.disableExtensionFilter !== true && !/\.(ya?ml|json|jsonnet)$/.test(entry.name)) continue
      if (excluded(fileRelative) || !included(fileRelative)) continue
      const found = await inputs.add(file)
      if (found === undefined || found.entry.kind === 'directory') continue
      files.push(file)
      if (files.length > maxFiles) {
        throw new ResourceExhaustedError(
          `"${path || '.'}" has more than ${maxFiles} manifest files; split it`,
        )
      }
    }
  }
  await walk(path, '')
  // As Argo CD has it, the source itself is the one that is looked at last.
  const libraries: string[] = [path]
  for (const library of options.jsonnet?.libs ?? []) {
    const resolved = pathWithin('', library, 'Jsonnet library')
    if ((await tree.entry(resolved)) === undefined) {
      throw new InvalidInputError(
        `Jsonnet library "${library}" does not exist; give it relative to the repository's root`,
      )
    }
    libraries.push(resolved)
  }
  const jsonnet = files.filter((file) => file.endsWith('.jsonnet'))
  const variables = (given: readonly GivenVariable[] = []): JsonnetVariable[] =>
    given.map(({ name, value, code }) => ({
      name,
      value: environment.substitute(value ?? ''),
      code: code ?? false,
    }))
  return {
    files,
    libraries,
    imports: await addJsonnetImports(tree, jsonnet, libraries, inputs),
    externalVariables: variables(options.jsonnet?.extVars),
    topLevelArguments: variables(options.jsonnet?.tlas),
  }
}

type GivenVariable = NonNullable<NonNullable<DirectoryOptions['jsonnet']>['extVars']>[number]

function isOverride(name: string): boolean {
  return /^\.argocd-source(-.+)?\.yaml$/.test(name)
}
