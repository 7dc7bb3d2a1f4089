import type { FileTree } from './tree/file-tree.ts'
import { extendedFingerprint } from './fingerprint.ts'
import type { SourceInspection } from './source-inspection.ts'
import { decidedParameters } from './parameters/decided-parameters.ts'
import { renderDirectory } from './directory/render-directory.ts'
import { renderHelm } from './helm/render-helm.ts'
import { renderKustomize } from './kustomize/render-kustomize.ts'
import { renderComposite } from './composite/render-composite.ts'
import { renderPlugin } from './plugin/render-plugin.ts'
import type { Rendered, RenderContext, RenderedSource, RenderLimits } from './render-run.ts'
import { type SandboxedWork, runSandboxed } from './sandbox/sandboxed-run.ts'
import { partPlugins } from './composite/source-part.ts'
import type { SourcePlan } from './source-inspection.ts'

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
  const rendered = await renderPlan(tree, inspection, context)
  const { warnings, ...decided } = await decidedParameters(tree, inspection)
  const record = {
    ...rendered.record,
    ...decided,
    warnings: [...rendered.record.warnings, ...warnings],
    pluginVariables: Object.fromEntries(inspection.pluginVariables),
  }
  return { ...rendered, record }
}

/** The same without recording what decided the result. */
export async function renderPlan(
  tree: FileTree,
  inspection: SourceInspection,
  context: RenderContext,
): Promise<RenderedSource> {
  if (inspection.plan.renderer === 'directory') {
    const rendered = await renderDirectory(tree, inspection.plan.directory, context)
    return { ...rendered, widened: false, fingerprint: inspection.fingerprint }
  }
  if (inspection.plan.renderer === 'plugin') {
    const { plugin } = inspection.plan.plugin
    const { identity, ...rendered } = await renderPlugin(tree, inspection.plan.plugin, context)
    const widened = showsMore(inspection, rendered, context)
    const fingerprint = await fingerprintAfter(tree, inspection, context, widened)
    if (identity === plugin.identity) return { ...rendered, widened, fingerprint }
    // The plugin was changed since the inspection: the next one makes the source be rendered again.
    return { ...rendered, widened, fingerprint: extendedFingerprint(fingerprint, identity) }
  }
  if ('composite' in inspection.plan) {
    const { composite } = inspection.plan
    const { result, identities, ...rendered } = await renderComposite(tree, composite, context)
    const hasPlugins = partPlugins(composite.parts).length > 0
    const widened = rendered.widened || (hasPlugins && showsMore(inspection, result, context))
    const fingerprint = await fingerprintAfter(tree, inspection, context, widened)
    return { ...result, widened, fingerprint: identities.reduce(extendedFingerprint, fingerprint) }
  }
  const work = toolWork(inspection, inspection.plan, context)
  const { result, widened } = await runSandboxed(tree, context, work)
  return { ...result, widened, fingerprint: await fingerprintAfter(tree, inspection, context, widened) }
}

async function fingerprintAfter(
  tree: FileTree,
  { fingerprint, widenedFingerprint }: SourceInspection,
  { revision }: RenderContext,
  widened: boolean,
): Promise<string> {
  return widened ? await widenedFingerprint(tree, revision) : fingerprint
}

/** Whether a plugin's manifests hold the revision although it is not among the variables that count. */
function showsMore(inspection: SourceInspection, rendered: Rendered, { revision }: RenderContext): boolean {
  return !inspection.variables.includes('ARGOCD_APP_REVISION') && shows(rendered, revision)
}

/** Whether the manifests hold the revision, be it shortened as git and `ARGOCD_APP_REVISION_SHORT` do. */
function shows({ manifests }: Rendered, revision: string): boolean {
  return manifests.some((manifest) => manifest.includes(revision.slice(0, 7)))
}

function toolWork(
  { path, options, inputs }: SourceInspection,
  plan: Extract<SourcePlan, { renderer: 'helm' | 'kustomize' }>,
  { policy }: RenderContext,
): SandboxedWork<Rendered> {
  if (plan.renderer === 'helm') {
    const network = plan.helm.dependencySteps.some(({ repositories }) => repositories.length > 0)
    return { path, inputs, network, render: (run) => renderHelm(run, plan.helm, options.helm ?? {}) }
  }
  const network = policy.allowRemoteBases
  return { path, inputs, network, render: (run) => renderKustomize(run, plan.kustomize) }
}
