import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { InputCollector } from '@wadi/file-trees/input-collector.ts'
import { scanJsonnetImports } from './jsonnet-import-scan.ts'
import { parentPath, pathWithin } from '@wadi/file-trees/repository-path.ts'
import type { TracingTree } from '@wadi/file-trees/tracing-tree.ts'

/** Largest Jsonnet file, in bytes, and most files that one source may import. */
const maxFileBytes = 1024 * 1024
const maxImports = 2000

/**
 * Adds every file that the Jsonnet files import, directly or not, to `inputs`: looked up beside the importing file, then in the libraries
 * from the last to the first, as the evaluation does.
 * One that does not exist is left to the evaluation, which names it.
 */
export async function addJsonnetImports(
  tree: TracingTree,
  files: readonly string[],
  libraries: readonly string[],
  inputs: InputCollector,
): Promise<string[]> {
  const imports = new Set<string>()
  const visited = new Set<string>(files)
  const queue = [...files]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    const text = fileText(await tree.read(await inputs.follow(file), maxFileBytes), file)
    for (const { keyword, name } of scanJsonnetImports(text)) {
      for (const directory of [parentPath(file), ...libraries.toReversed()]) {
        const candidate = pathWithin(directory, name, `${file}: import`)
        const found = await inputs.add(candidate)
        if (found === undefined || found.entry.kind === 'directory') continue
        imports.add(candidate)
        if (imports.size > maxImports) {
          throw new ResourceExhaustedError(`more than ${maxImports} imported files; split the source`, {
            at: { file },
          })
        }
        if (keyword === 'importstr') fileText(await tree.read(found.target, maxFileBytes), candidate)
        if (keyword === 'import' && !visited.has(candidate)) {
          visited.add(candidate)
          queue.push(candidate)
        }
        break
      }
    }
  }
  return [...imports].toSorted()
}
