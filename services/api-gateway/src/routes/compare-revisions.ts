import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type {
  ApplicationName,
  CompareRevisionsRequest,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { GatewayContext } from '../context.ts'
import { visibleTo } from '../summaries/summary-filter.ts'

type Name = Pick<ApplicationName, 'namespace' | 'name'>

/** Compares a dry revision for the Applications that the caller may see; the others are counted and not rendered. */
export function compareRevisions(context: GatewayContext, draining: AbortSignal) {
  return async function* (request: CompareRevisionsRequest, call: HandlerContext) {
    const { repoUrl } = request
    if (repoUrl === '') throw new InvalidInputError('repoURL is required')
    const { visible, hidden } = applicationsOf(context, call, repoUrl)
    const applications = request.applications.length === 0 ? visible : named(request.applications, visible)
    if (applications.length === 0) {
      throw new NotFoundError(`no application that you may see has the dry repository ${redactUrl(repoUrl)}`)
    }
    const signal = AbortSignal.any([call.signal, draining])
    const { revision, base, target, tools } = request
    const asked = { repoUrl, revision, base, target, tools, applications }
    for await (const part of context.hydrator.compareRevisions(asked, { signal })) {
      if (part.message.case === 'summary') part.message.value.hidden = hidden
      yield part
    }
  }
}

function applicationsOf(
  { summaries, authorization }: Pick<GatewayContext, 'summaries' | 'authorization'>,
  call: HandlerContext,
  repoUrl: string,
): { visible: Name[]; hidden: number } {
  const repository = repositoryIdentity(repoUrl)
  const all = summaries.sorted.filter(({ source }) => source.dryRepositories.includes(repository))
  const mayBeSeen = visibleTo(authorization, call)
  const visible = all.filter(mayBeSeen).map(({ source: { spec } }) => ({
    namespace: spec.namespace || controlPlaneNamespace,
    name: spec.name,
  }))
  return { visible, hidden: all.length - visible.length }
}

/** @throws NotFoundError for an Application that is not among the visible ones of the repository */
function named(asked: readonly Name[], visible: readonly Name[]): Name[] {
  const byName = new Map(visible.map((one) => [`${one.namespace}/${one.name}`, one]))
  return asked.map(({ namespace, name }) => {
    const found = byName.get(`${namespace || controlPlaneNamespace}/${name}`)
    if (found) return found
    throw new NotFoundError(`applications.argoproj.io "${name}" not found among those of the repository`)
  })
}
