import { create } from '@bufbuild/protobuf'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { type ObjectOrigins, ObjectOriginsSchema } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import { withDigests } from '@wadi/renderer-tools/find-tools.ts'
import { withPins } from '@wadi/renderer-tools/tool-pins.ts'
import { extendedFingerprint, type SourceInspection } from '../inspection/source-inspection.ts'
import { decidedParameters } from '../parameters/explain/decided-parameters.ts'
import type { PlanOutput } from '../plan/plan.ts'
import type { ManifestOrigin, ReadManifests } from './manifests/manifest-job.ts'
import { checkoutWarnings } from './checkout-difference.ts'
import { readFiles } from './read-files.ts'
import type { RenderContext, Rendered, RenderedSource, RenderLimits } from './render-run.ts'

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
  const again = async (from: FileTree): Promise<Rendered> => await renderPlan(from, inspection, context)
  const ofCheckout = await checkoutWarnings(tree, inspection, rendered, { again, signal: context.signal })
  const ofSyncTool = context.source.forFlux === true ? await warningsForFlux(rendered) : []
  const record = {
    ...rendered.record,
    ...decided,
    warnings: [...rendered.record.warnings, ...warnings, ...ofCheckout, ...ofSyncTool],
    pluginVariables: Object.fromEntries(inspection.pluginVariables),
  }
  return { ...rendered, record }
}

/** Returns the warnings for Flux; their code is loaded where it is asked for. */
async function warningsForFlux(rendered: RenderedSource): Promise<string[]> {
  const { fluxWarnings } = await import('./manifests/flux-warnings.ts')
  return fluxWarnings(rendered)
}

/** The same without recording what decided the result. */
export async function renderPlan(
  tree: FileTree,
  inspection: SourceInspection,
  context: RenderContext,
): Promise<RenderedSource> {
  const tools = await withPins(context.tools, inspection.pins)
  await tree.ready?.(inspection.inputs)
  const output = await inspection.plan.run(tree, { ...context, tools })
  const read = await readOutput(output, context)
  const { manifests, printed, warnings, textWarnings } = read
  const origins = await recordedOrigins(tree, read)
  const widened = output.widened || showsMore(inspection, manifests, context)
  const { fingerprint, widenedFingerprint } = inspection
  const narrow = widened ? await widenedFingerprint(tree, context.revision) : fingerprint
  return {
    manifests,
    files: output.files,
    record: {
      ...output.record,
      printed,
      ...(origins && { origins }),
      tools: withDigests(output.record.tools, tools),
      warnings: [...output.record.warnings, ...textWarnings, ...warnings],
    },
    widened,
    // The next inspection finds what has changed, and has the source rendered again.
    fingerprint: output.changedIdentities.reduce(extendedFingerprint, narrow),
  }
}

async function readOutput({ result }: PlanOutput, context: RenderContext): Promise<ReadManifests> {
  return 'files' in result ? await readFiles(result.files, context) : result
}

/** True if the manifests of a plugin hold the revision, even shortened, although it is not among the variables that decide. */
function showsMore(
  { hasPlugins, variables }: SourceInspection,
  manifests: readonly string[],
  { revision }: RenderContext,
): boolean {
  if (!hasPlugins || variables.includes('ARGOCD_APP_REVISION')) return false
  // As git and `ARGOCD_APP_REVISION_SHORT` shorten it.
  return manifests.some((manifest) => manifest.includes(revision.slice(0, 7)))
}

/** Returns what a render says of the origins of its objects, as it is recorded; undefined where it says nothing. */
async function recordedOrigins(
  tree: FileTree,
  { origins, originOf }: Pick<ReadManifests, 'origins' | 'originOf'>,
): Promise<ObjectOrigins | undefined> {
  const files = await Promise.all(origins.map(({ file }) => isFile(tree, file)))
  const isKnown = origins.map(({ owners }, index) => owners.length > 0 || files[index] === true)
  if (!isKnown.includes(true)) return undefined
  return create(ObjectOriginsSchema, {
    origins: origins.map(({ owners, template, file }: ManifestOrigin, index) => ({
      owners: [...owners],
      template,
      file: files[index] === true ? file : '',
    })),
    originOf: originOf.map((position) => (isKnown[position] === true ? position + 1 : 0)),
  })
}

/** A comment of a chart may name any path. */
const isPlainPath = /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\0]{1,4096}$/

async function isFile(tree: FileTree, path: string): Promise<boolean> {
  const kind = isPlainPath.test(path) ? (await tree.entry(path))?.kind : undefined
  return kind === 'file' || kind === 'executable' || kind === 'symlink'
}
