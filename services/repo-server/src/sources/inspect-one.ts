import { DomainError, errorMessage, InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { isExactVersion } from '@wadi/charts/choose-version.ts'
import type {
  Chart,
  DefaultTools,
  InspectionSchema,
  Source,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { dependenciesOf, toolsOf } from '@wadi/rendering/inspection/source-inspection.ts'
import { PluginUnavailableError } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { DownloadUnavailableError } from '@wadi/renderer-tools/other-versions.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import type { GatedRenderer } from './gated-renderer.ts'

/** A source of a request and where it is looked at. */
interface RequestedSource {
  readonly tree: FileTree
  readonly repoUrl: string
  readonly revision: string
  readonly project: string
  readonly source: Source
  readonly chart?: Chart | undefined
  readonly withoutCommands?: boolean
  readonly defaultTools?: DefaultTools | undefined
}

/** A key that changes with each inspection: of errors, and of what depends on the whole repository. */
export const everyTime = '\0every time'
/** A key that changes with the revision. */
export const revisionKey = '\0revision'
/** A key that changes with the day. */
export const dayKey = '\0day'

/** The inspection of a source, and the keys that it depends on. */
export interface InspectedSource {
  readonly result: MessageInitShape<typeof InspectionSchema>
  /** Paths of the repository, keys that renders name when they find something out, `everyTime`, `revisionKey` and `dayKey`. */
  readonly dependsOn: readonly string[]
}

/** Inspects one source of a request; what is wrong with it is its result. */
export async function inspectOne(
  renderer: Pick<GatedRenderer, 'readSource' | 'inspect'>,
  { source: requested, repoUrl, chart, withoutCommands = false, ...at }: RequestedSource,
  signal: AbortSignal,
): Promise<InspectedSource> {
  try {
    const source = renderer.readSource(repoUrl, requested)
    const { gates } = requested
    const inspected = await renderer.inspect({ ...at, source, withoutCommands, gates }, signal)
    const { inspection, fingerprint, warnings, findings, covered, keys, isWidened } = inspected
    const { dependsOnDay, wantsFormer, wantsDefinitions } = inspected
    const { helm, kustomize } = inspection.repositoryPins
    if (chart && inspection.isStrict) assertExact(source.targetRevision)
    const pluginVariables = [...inspection.pluginVariables.keys()]
    const { paths, onRevision } = dependenciesOf(inspection)
    const dependsOn = [
      ...paths,
      ...keys,
      ...(onRevision ? [revisionKey] : []),
      ...(dependsOnDay ? [dayKey] : []),
    ]
    const result = {
      fingerprint,
      warnings: [...warnings],
      pluginVariables,
      findings: [...findings],
      coveredFindings: [...covered],
      wantsFormer,
      wantsDefinitions,
      renderers: [inspection.renderer],
      tools: toolsOf(inspection),
      ...((helm ?? kustomize) && {
        repositoryTools: { helm: helm?.version ?? '', kustomize: kustomize?.version ?? '' },
      }),
    }
    return { result, dependsOn: isWidened ? [everyTime] : dependsOn }
  } catch (error) {
    if (!isOfSource(error)) throw error
    return { result: errorFields(error), dependsOn: [everyTime] }
  }
}

/** @throws InvalidInputError for a range, whose meaning is not in the dry source */
function assertExact(revision: string): void {
  if (isExactVersion(revision)) return
  throw new InvalidInputError(
    `targetRevision ${JSON.stringify(revision)} is a range, and wadi.yaml of the chart asks for determinism: strict; give a version`,
  )
}

/** Returns the fields by which an answer reports the error of one source. */
export function errorFields(error: unknown) {
  const at = error instanceof DomainError ? error.at : undefined
  const place = at && { file: at.file, line: at.line ?? 0 }
  // The same may succeed later although nothing changed.
  const retryable = error instanceof DomainError && error.retryable
  return { error: errorMessage(error), retryable, ...(place && { place }) }
}

/** Returns true if an error is one source's own, and not one of this machine that another try may not meet. */
export function isOfSource(error: unknown): boolean {
  if (error instanceof PluginUnavailableError || error instanceof DownloadUnavailableError) return true
  return error instanceof DomainError && !(error instanceof UnavailableError)
}
