import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from './file-tree.ts'
import type { SourceInspection } from './inspect-source.ts'
import { renderDirectory } from './render-directory.ts'
import { renderHelm } from './render-helm.ts'
import { renderKustomize } from './render-kustomize.ts'
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
 * Renders an inspected source in a sandbox that holds its inputs alone.
 * If the tool misses a file that the tree has, it runs once more with the whole repository.
 * @throws InvalidInputError with the tool's message if it fails, DeadlineExceededError or ResourceExhaustedError above a limit
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
  try {
    const rendered = await renderInSandbox(tree, inspection, context, inspection.inputs)
    return { ...rendered, widened: false, fingerprint: inspection.fingerprint }
  } catch (error) {
    if (!(error instanceof MissingInputError)) throw error
    const rendered = await renderInSandbox(tree, inspection, context, undefined)
    return { ...rendered, widened: true, fingerprint: await inspection.widenedFingerprint(tree) }
  }
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
