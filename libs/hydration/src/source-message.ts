import type { MessageInitShape } from '@bufbuild/protobuf'
import type { SourceSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import {
  type Application,
  instanceName,
  type SourceHydrator,
} from '@wadi/resources/application/application.ts'

/** The annotation that names what an Application's output depends on beside its folder, as Argo CD reads it. */
export const manifestGeneratePathsAnnotation = 'argocd.argoproj.io/manifest-generate-paths'

/** What repo-server needs to know of an Application's dry source. */
export function sourceMessage(
  { metadata, destination, annotations, project }: Application,
  { drySource }: SourceHydrator,
): MessageInitShape<typeof SourceSchema> & { optionsJson: string } {
  const { path, targetRevision, helm, kustomize, directory, plugin } = drySource
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
  }
}
