import type { MessageInitShape } from '@bufbuild/protobuf'
import type { SourceSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { drySourcesOf, renderedPositions } from '@wadi/resources/application/dry-sources.ts'
import { isForFlux } from '@wadi/resources/application/sync-tool.ts'
import {
  type Application,
  instanceName,
  type SourceHydrator,
} from '@wadi/resources/application/application.ts'

/** The annotation that names what an Application's output depends on beside its directory, as Argo CD reads it. */
export const manifestGeneratePathsAnnotation = 'argocd.argoproj.io/manifest-generate-paths'

/**
 * Returns repo-server's message of one of an Application's dry sources.
 * @param position among them; the first that is rendered when not given
 */
export function sourceMessage(
  { metadata, destination, annotations, project }: Application,
  hydrated: SourceHydrator,
  position = renderedPositions(hydrated)[0] ?? 0,
): MessageInitShape<typeof SourceSchema> & { optionsJson: string } {
  const source = drySourcesOf(hydrated)[position] ?? hydrated.drySource
  const { path, targetRevision, helm, kustomize, directory, plugin } = source
  const options = helm || kustomize || directory || plugin
  return {
    path,
    targetRevision,
    optionsJson: options ? JSON.stringify({ helm, kustomize, directory, plugin }) : '',
    destinationNamespace: destination.namespace ?? '',
    applicationName: metadata.name,
    instanceName: instanceName(metadata),
    projectName: project,
    manifestGeneratePaths: annotations[manifestGeneratePathsAnnotation] ?? '',
    ...(isForFlux(annotations) && { forFlux: true }),
    ...(hydrated.drySources && { field: `drySources[${position}]` }),
  }
}
