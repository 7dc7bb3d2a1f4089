import type { HandlerContext } from '@connectrpc/connect'
import type {
  ParameterAssignment,
  ParameterChanges,
} from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { EditParametersRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { Assignment } from '@wadi/plugins/parameters/assign-parameters.ts'
import type { ParameterValue } from '@wadi/plugins/parameters/parameter.ts'
import { errorMessage, FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { withFile } from '@wadi/file-trees/with-file.ts'
import type { RenderSource } from '@wadi/rendering/source/source.ts'
import { type RepoServerContext, withInspection } from '../context.ts'
import { isOfSource } from '../sources/inspect-one.ts'

/** Computes the files that set parameters of a source and renders what would come of it; nothing is stored. */
export function editParameters(context: Pick<RepoServerContext, 'files' | 'renderer'>) {
  return async (request: EditParametersRequest, { signal }: HandlerContext) =>
    withInspection(context, gitRequest(request), signal, async (tree, source, inspection) => {
      const { editParameters: edit } = await import('@wadi/rendering/parameters/edit/edit-parameters.ts')
      const edited = await edit(tree, inspection, source, readChanges(request.changes), signal)
      const { others, warnings, ...rest } = edited
      const file = { ...rest, warnings: [...warnings] }
      const otherFiles = others.map((other) => ({ ...other, problems: [] }))
      const changed = [file, ...others].filter(({ before, after }) => after !== before)
      if (changed.length === 0 || file.problems.length > 0) return { file, otherFiles }
      const editedTree = changed.reduce((files, { path, after }) => withFile(files, path, after), tree)
      const problems = await problemsOf(context, { ...request, tree: editedTree, source }, signal)
      return { file: { ...file, problems }, otherFiles }
    })
}

/** @throws FailedPreconditionError for a chart, whose repository takes no commits */
function gitRequest(request: EditParametersRequest): EditParametersRequest {
  if (!request.chart) return request
  throw new FailedPreconditionError(
    `chart ${request.chart.name} is not in git: set its parameters in the Application, or vendor the chart`,
  )
}

/** Returns the errors that the renderer finds in a source with its changes. */
async function problemsOf(
  { renderer }: Pick<RepoServerContext, 'renderer'>,
  {
    tree,
    source,
    sha: revision,
    project,
    defaultTools,
  }: { tree: FileTree; source: RenderSource } & Pick<
    EditParametersRequest,
    'sha' | 'project' | 'defaultTools'
  >,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    await renderer.attempt({ tree, source, revision, project, defaultTools }, signal)
    return []
  } catch (error) {
    if (!isOfSource(error)) throw error
    return [errorMessage(error)]
  }
}

function readChanges({ assignments = [], removals = [] }: Partial<ParameterChanges> = {}) {
  return { assignments: assignments.map(readAssignment), removals }
}

function readAssignment({ target, value, whole }: ParameterAssignment): Assignment {
  const given = whole && readValue(whole.kind)
  return { target, value, ...(given && { whole: given }) }
}

function readValue(kind: NonNullable<ParameterAssignment['whole']>['kind']): ParameterValue | undefined {
  if (kind.case === 'text') return { kind: 'string', text: kind.value }
  if (kind.case === 'list') return { kind: 'array', items: kind.value.items }
  if (kind.case !== 'map') return undefined
  // Of a key that comes twice the last value applies, as in an object.
  const entries = new Map(kind.value.entries.map(({ key, value }) => [key, value]))
  return { kind: 'map', entries: [...entries] }
}
