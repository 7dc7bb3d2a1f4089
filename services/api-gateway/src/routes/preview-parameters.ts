import type { HandlerContext } from '@connectrpc/connect'
import { newWarnings, renderWarnings } from '@wadi/changes/applications/new-warnings.ts'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { PreviewParametersRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { isChosen } from '@wadi/resources/application/chosen-source.ts'
import { editedFiles } from '../applications/edited-files.ts'
import { manifestChanges } from '../applications/manifest-changes.ts'
import { requirePermittedByProject } from '../applications/permitted-by-project.ts'
import { getStoredApplication } from '../applications/read-application.ts'
import { renderDry } from '../applications/render-dry.ts'
import { resolveDry } from '../applications/resolve-dry.ts'
import { chosenRequest } from '../applications/store-application.ts'
import type { GatewayContext } from '../context.ts'

/**
 * Shows what a change of parameters would make of the files that set them and of the manifests; nothing is stored. It needs the
 * right to update the Application, as the change does.
 */
export function previewParameters(context: GatewayContext) {
  return async (request: PreviewParametersRequest, { values, signal }: HandlerContext) => {
    const { changes, dryRevision } = request
    if (!changes || changes.assignments.length + changes.removals.length === 0) {
      throw new InvalidInputError('there is nothing to preview: assignments and removals are both empty')
    }
    const { application } = await getStoredApplication(context, { values }, request, 'update')
    await requirePermittedByProject(context, application)
    const { request: dry, revised } = chosenRequest(application, request)
    const found = await resolveDry(context, dry, dryRevision, signal, revised)
    const { branch: _branch, drySha: first, ...resolved } = found
    const drySha = isChosen(request) ? resolved.sha : first
    const { repoUrl, project, source } = dry
    const wanted = { repoUrl, project, source, ...resolved, changes }
    const { file, otherFiles, changed: edits } = await editedFiles(context, wanted, signal)
    const editedSha = resolved.sha
    if (edits.length === 0) return { file, drySha, editedSha }
    const [before, after] = await Promise.all([
      unlessWrong(renderDry(context, { ...dry, ...resolved }, signal)),
      unlessWrong(renderDry(context, { ...dry, ...resolved, edits }, signal)),
    ])
    if (after.error !== undefined) return { file, otherFiles, drySha, editedSha, error: after.error }
    return {
      file,
      otherFiles,
      drySha,
      editedSha,
      objects: manifestChanges(before.rendered ?? nothing, after.rendered),
      errorBefore: before.error ?? '',
      warnings: newWarnings(renderWarnings(after.rendered), []),
    }
  }
}

const nothing = { manifests: [], files: [] }

type Outcome<Rendered> = { rendered: Rendered; error?: undefined } | { rendered?: undefined; error: string }

/** Returns an error of the source as the answer, and throws every other error. */
async function unlessWrong<Rendered>(render: Promise<Rendered>): Promise<Outcome<Rendered>> {
  try {
    return { rendered: await render }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return { error: errorMessage(error) }
  }
}
