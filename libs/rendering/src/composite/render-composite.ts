import { create } from '@bufbuild/protobuf'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { chartArgument } from '../helm/helm-arguments.ts'
import type { ManifestFile } from '../manifest-job.ts'
import { type CompositePlan, inPart } from './composite-plan.ts'
import { renderDirectory } from '../directory/render-directory.ts'
import { templateChart } from '../helm/render-helm.ts'
import { buildKustomization } from '../kustomize/render-kustomize.ts'
import { renderPlugin } from '../plugin/render-plugin.ts'
import type { RenderContext, Rendered, RenderRun } from '../render-run.ts'
import { type SandboxedWork, runSandboxed } from '../sandbox/sandboxed-run.ts'
import { shellCommand } from '../sandbox/shell-quote.ts'
import { type HelmPart, type KustomizePart, partTools } from './source-part.ts'

/**
 * Renders the parts of a source one after the other, each tool in a sandbox with the inputs of its part alone.
 * `identities` are those of plugins which are others than when the parts were planned.
 */
export async function renderComposite(
  tree: FileTree,
  { path, parts, files: written }: CompositePlan,
  context: RenderContext,
): Promise<{ result: Rendered; widened: boolean; identities: string[] }> {
  const { limits, workers, signal, tools } = context
  const warnings: string[] = []
  const identities: string[] = []
  const files: ManifestFile[] = []
  let isWidened = false
  for (const part of parts) {
    const { placement } = part
    if (part.renderer === 'text') {
      files.push(
        ...part.files.map(({ path: file, text, remedy }) => ({
          file,
          text,
          jsonnet: false,
          placement,
          ...(remedy !== undefined && { remedy }),
        })),
      )
      continue
    }
    signal?.throwIfAborted()
    if (part.renderer === 'directory') {
      const { manifests } = await inPart(part.label, () => renderDirectory(tree, part.directory, context))
      files.push({ file: part.label, text: manifests.join('\n---\n'), jsonnet: false, placement })
      continue
    }
    if (part.renderer === 'plugin') {
      const rendered = await inPart(part.label, () => renderPlugin(tree, part.plugin, context))
      files.push({ file: part.label, text: rendered.manifests.join('\n---\n'), jsonnet: false, placement })
      warnings.push(...rendered.record.warnings)
      // The plugin was changed since it was planned for.
      if (rendered.identity !== part.plugin.plugin.identity) identities.push(rendered.identity)
      continue
    }
    const { result, widened } = await inPart(part.label, () =>
      runSandboxed(tree, context, partWork(part, context)),
    )
    isWidened ||= widened
    files.push({ ...result, jsonnet: false, placement })
  }
  const { manifests, notices } = await workers.run(
    {
      files,
      jsonnet: undefined,
      textBytes: limits.toolOutputBytes,
      manifestBytes: limits.manifestBytes,
    },
    signal,
  )
  const record = create(RenderRecordSchema, {
    commands: [shellCommand(['wadi', 'render', chartArgument(path)])],
    tools: partTools(parts, tools),
    warnings: [...new Set([...warnings, ...notices])],
  })
  const result = {
    manifests,
    files: written.map(({ path: file, content }) => ({ path: file, content })),
    record,
  }
  return { result, widened: isWidened, identities }
}

function partWork(
  part: HelmPart | KustomizePart,
  { policy, signal }: RenderContext,
): SandboxedWork<Pick<ManifestFile, 'file' | 'text'>> {
  const { path, inputs, label, finish } = part
  const network =
    part.renderer === 'helm'
      ? part.helm.dependencySteps.some(({ repositories }) => repositories.length > 0)
      : policy.allowRemoteBases
  const render = async (run: RenderRun): Promise<Pick<ManifestFile, 'file' | 'text'>> => {
    const { file, output } =
      part.renderer === 'helm'
        ? await templateChart(run, part.helm, part.options, part.valuesTexts)
        : await buildKustomization(run, part.kustomize)
    return { file: `${label}: ${file}`, text: await finish(output, signal) }
  }
  return { path, inputs, network, render }
}
