import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { GetGatesRequest } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { hydratedBranchOf } from '@wadi/resources/application/application.ts'
import { cleanDestinationPath } from '@wadi/resources/application/destination-path.ts'
import { readClusters } from '@wadi/resources/cluster-secret.ts'
import { projectPermitsDestination } from '@wadi/resources/project/app-project.ts'
import { readProject } from '@wadi/resources/project/project-permission.ts'
import type { Member } from '../applications/application-index.ts'
import { gatesMessage } from '../gates/gates-message.ts'
import { policySetsOf } from '../run/render/policy-sets.ts'
import type { RunContext } from '../run/run-context.ts'
import { gatesOf } from '../run/validate/gates-of.ts'

/** Returns the gates that the operator asks for of an Application's directory. */
export function getGates({
  index,
  store,
  operatorViews,
}: Pick<RunContext, 'index' | 'store' | 'operatorViews'>) {
  return async ({ namespace, name }: GetGatesRequest, { signal }: Pick<HandlerContext, 'signal'>) => {
    const members = index.members(index.branchOf(namespace, name) ?? '')
    const member = members.find(
      ({ application: { metadata } }) => metadata.namespace === namespace && metadata.name === name,
    )
    const target = member && hydratedBranchOf(member.application)
    if (!target)
      throw new NotFoundError(`application ${namespace}/${name} is not known or has no sourceHydrator`)
    const { settings } = await operatorViews(signal)
    if (settings.error !== '') throw new FailedPreconditionError(settings.error)
    const { project: projectName, destination } = member.application
    const project = await readProject(store, projectName)
    const gatesFor = await gatesOf({ settings, ...target }, await readClusters(store))
    const gates = gatesFor(members.filter((other) => pathOf(other) === pathOf(member)))
    const isPermitted = (one: string) =>
      projectPermitsDestination(project, { ...destination, namespace: one })
    const { permittedText } = await import('../gates/cluster/cluster-policy-files.ts')
    const policySets = policySetsOf(gates, settings).map(({ id, files }) => ({
      id,
      files: files.map(({ file, text }) => ({ file, text: permittedText(file, text, isPermitted) })),
    }))
    return { gates: gatesMessage(gates), policySets, destinationNamespace: destination.namespace ?? '' }
  }
}

function pathOf({ spec }: Member): string {
  return cleanDestinationPath(spec.syncSource.path)
}
