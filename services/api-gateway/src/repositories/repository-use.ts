import type { HandlerContext } from '@connectrpc/connect'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import { applicationObject } from '@wadi/rbac/decide/application-object.ts'
import { selectSecret } from '@wadi/repositories/repository-credentials.ts'
import type { RepositorySecret } from '@wadi/repositories/repository-secret.ts'
import { type Application, hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { readableApplication } from '../applications/application-view.ts'
import type { GatewayContext } from '../context.ts'
import { credentialsOwner } from './repository-access.ts'

/** The Applications that credentials serve. */
interface RepositoryUse {
  /** The names in policies of those that the caller may see, sorted. */
  readonly applications: string[]
  /** The number of the others. */
  readonly hidden: number
}

/** Finds the Applications that read or write with stored credentials, by the rule that selects credentials. */
export async function repositoryUse(
  context: Pick<GatewayContext, 'store' | 'authorization' | 'repoServer' | 'commitServer'>,
  call: HandlerContext,
  write: boolean,
  { repoUrl, project, isPrefix }: Repository,
): Promise<RepositoryUse> {
  const { repositories } = await credentialsOwner(context, write).listRepositories(
    { refresh: false },
    { signal: call.signal },
  )
  const secrets = repositories.map((repository) => secretOf(repository, write))
  const own = secrets.find(
    (_, index) =>
      repositories[index]?.repoUrl === repoUrl &&
      repositories[index]?.project === project &&
      repositories[index]?.isPrefix === isPrefix,
  )
  // They may be gone since the caller read them.
  if (!own) return { applications: [], hidden: 0 }
  const { items } = await context.store.list('Application')
  const served = items.filter((item) => {
    const application = readableApplication(item)
    return application !== undefined && urlsOf(application, write).some((url) => isServed(application, url))
  })
  function isServed(application: Application, url: string): boolean {
    const selected = selectSecret(secrets, url, application.project)
    return selected !== undefined && (selected === own || selected.lender === own)
  }
  const objects = served.map(applicationObject).toSorted()
  const applications = objects.filter((object) =>
    context.authorization.allows(call, 'applications', 'get', object),
  )
  return { applications, hidden: objects.length - applications.length }
}

/** Returns credentials as far as their selection needs them; the gateway never has their secrets. */
function secretOf({ repoUrl, project, isPrefix, credentials }: Repository, write: boolean): RepositorySecret {
  const type = write
    ? isPrefix
      ? 'repo-write-creds'
      : 'repository-write'
    : isPrefix
      ? 'repo-creds'
      : 'repository'
  const values: Record<string, string> = credentials === 'none' ? {} : { password: credentials }
  return { name: `${repoUrl} ${project} ${type}`, type, url: repoUrl, project, values }
}

function urlsOf(application: Application, write: boolean): readonly string[] {
  if (!write) return application.sources
  const branch = hydratedBranchOf(application)
  return branch ? [branch.repoUrl] : []
}
