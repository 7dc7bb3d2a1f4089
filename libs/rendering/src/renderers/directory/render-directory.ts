import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { fileText, isLfsPointer, lfsPointerMessage } from '@wadi/manifests/file-text.ts'
import type { DirectoryFiles } from './directory-inputs.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import type { ManifestText, ReadManifests } from '../../run/manifests/manifest-job.ts'
import type { RenderContext } from '../../run/render-run.ts'

/** With this comment anywhere in it, a file is not a manifest; Argo CD has the same mark. */
const skipMark = '+argocd:skip-file-rendering'

/** Reads the manifests of a directory: YAML and JSON as they are, Jsonnet evaluated. Nothing is written and no tool started. */
export async function renderDirectory(
  tree: FileTree,
  plan: DirectoryFiles,
  context: RenderContext,
): Promise<ReadManifests> {
  const { limits, workers, signal } = context
  let left = limits.inputBytes
  const read = async (path: string): Promise<Buffer> => {
    const followed = await followPath(tree, path)
    const content = await tree.read(followed?.target ?? path, Math.min(left, limits.toolOutputBytes))
    left -= content.length
    if (left < 0)
      throw new ResourceExhaustedError(`"${path}": more than ${limits.inputBytes} bytes to render from`)
    return content
  }
  const files: ManifestText[] = []
  for (const file of plan.files) {
    const content = await read(file)
    if (content.includes(skipMark)) continue
    const jsonnet = file.endsWith('.jsonnet')
    const mayBeOther = !jsonnet && !file.endsWith('.json')
    files.push({ file, text: fileText(content, file), jsonnet, mayBeOther })
  }
  const sources = new Map<string, Uint8Array>()
  for (const path of plan.imports) {
    const content = await read(path)
    if (isLfsPointer(content)) throw new InvalidInputError(lfsPointerMessage([path]))
    sources.set(path, new Uint8Array(content))
  }
  for (const { file, text, jsonnet } of files) if (jsonnet) sources.set(file, Buffer.from(text))
  const { libraries, externalVariables, topLevelArguments } = plan
  return await workers.run(
    {
      files,
      jsonnet: { libraries, externalVariables, topLevelArguments, sources },
      textBytes: limits.manifestBytes,
      manifestBytes: limits.manifestBytes,
    },
    signal,
  )
}
