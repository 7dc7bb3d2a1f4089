import type { MessageInitShape } from '@bufbuild/protobuf'
import type { EditParametersRequestSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { GatewayContext } from '../context.ts'

/**
 * Asks repo-server for the files that set parameters; nothing is stored. `changed` are those of `file` and `otherFiles` that differ.
 * @throws the error of repo-server, such as InvalidArgument for a parameter that cannot be set
 */
export async function editedFiles(
  { repoServer }: Pick<GatewayContext, 'repoServer'>,
  request: MessageInitShape<typeof EditParametersRequestSchema>,
  signal: AbortSignal,
) {
  const { file, otherFiles } = await repoServer.editParameters(request, { signal })
  if (!file) throw new Error('repo-server returned no file')
  const changed = [file, ...otherFiles].filter(({ before, after }) => before !== after)
  return { file, otherFiles, changed }
}
