import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { getApplicationResource } from '../applications/read-application.ts'
import type { GatewayContext } from '../context.ts'

/**
 * Reads an Application that a client of Argo CD names, which may say what project it must be of.
 * @throws NotFoundError also for one of another project, InvalidInputError without a name
 */
export async function getProjectApplication(
  context: GatewayContext,
  call: HandlerContext,
  { name, namespace, project }: { name: string; namespace: string; project: string },
): Promise<Resource> {
  if (name === '') throw new InvalidInputError('name of the application is required')
  const resource = await getApplicationResource(context, call, { name, namespace })
  if (project !== '' && (resource.spec?.['project'] || 'default') !== project) {
    throw new NotFoundError(`applications.argoproj.io "${name}" not found`)
  }
  return resource
}
