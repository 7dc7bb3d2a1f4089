import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from './file-tree.ts'
import { extendedFingerprint } from './fingerprint.ts'
import type { SourceInspection } from './inspect-source.ts'
import { renderDirectory } from './render-directory.ts'
import { renderHelm } from './render-helm.ts'
import { renderKustomize } from './render-kustomize.ts'
import { renderPlugin } from './render-plugin.ts'
import type { Rendered, RenderContext, RenderedSource, RenderLimits, RenderRun } from './render-run.ts'
import { Sandbox } from './sandbox.ts'
import { MissingInputError } from './missing-input.ts'

/** Limits that real charts and overlays stay far below. */
export const defaultRenderLimits: RenderLimits = {
  timeoutMilliseconds: 90_000,
  toolOutputBytes: 64 * 1024 * 1024,
  manifestBytes: 10 * 1024 * 1024,
  inputBytes: 512 * 1024 * 1024,
  inputFiles: 100_000,
}

/**
 * Renders an inspected source from its inputs alone, in a sandbox or by its plugin.
 * If the tool misses a file that the tree has, it runs once more with the whole repository.
 * @throws InvalidInputError with the tool's message if it fails, what a plugin throws, DeadlineExceededError or ResourceExhaustedError above a limit
 */
export async function renderSource(
  tree: FileTree,
  inspection: SourceInspection,
  context: RenderContext,
): Promise<RenderedSource> {
  context.signal?.throwIfAborted()
  if (inspection.plan.renderer === 'directory') {
    const rendered = await renderDirectory(tree, inspection.plan.directory, context)
    return { ...rendered, widened: false, fingerprint: inspection.fingerprint }
  }
  if (inspection.plan.renderer === 'plugin') {
    const { plugin } = inspection.plan.plugin
    const { identity, ...rendered } = await renderPlugin(tree, inspection.plan.plugin, context)
    const widened = !inspection.variables.includes('ARGOCD_APP_REVISION') && shows(rendered, context.revision)
    const { widenedFingerprint } = inspection
    const fingerprint = widened ? await widenedFingerprint(tree, context.revision) : inspection.fingerprint
    if (identity === plugin.identity) return { ...rendered, widened, fingerprint }
    // The plugin was changed since the inspection: the next one makes the source be rendered again.
    return { ...rendered, widened, fingerprint: extendedFingerprint(fingerprint, identity) }
  }
  try {
    const rendered = await renderInSandbox(tree, inspection, context, inspection.inputs)
    return { ...rendered, widened: false, fingerprint: inspection.fingerprint }
  } catch (error) {
    if (!(error instanceof MissingInputError)) throw error
    const rendered = await renderInSandbox(tree, inspection, context, undefined)
    const fingerprint = await inspection.widenedFingerprint(tree, context.revision)
    return { ...rendered, widened: true, fingerprint }
  }
}

/** Whether the manifests hold the revision, be it shortened as git and `ARGOCD_APP_REVISION_SHORT` do. */
function shows({ manifests }: Rendered, revision: string): boolean {
  return manifests.some((manifest) => manifest.includes(revision.slice(0, 7)))
}

async function renderInSandbox(
  tree: FileTree,
  inspection: SourceInspection,
  context: RenderContext,
  inputs: readonly string[] | undefined,
): Promise<Rendered> {
  const { plan, path, options } = inspection
  const { policy, limits } = context
  const network =
    plan.renderer === 'helm'
      ? plan.helm.dependencySteps.some(({ repositories }) => repositories.length > 0)
      : policy.allowRemoteBases
  await using sandbox = new Sandbox(context.sandboxRoot, network)
  await sandbox.writeInputs(tree, inputs ?? [''], limits, inputs === undefined)
  const run: RenderRun = { tree, path, context, sandbox }
  if (plan.renderer === 'helm') return await renderHelm(run, plan.helm, options.helm ?? {})
  if (plan.renderer === 'kustomize') return await renderKustomize(run, plan.kustomize)
  throw new InvalidInputError(`${plan.renderer} needs no sandbox`)
}
