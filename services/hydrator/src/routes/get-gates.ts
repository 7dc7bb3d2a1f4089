import { createHash } from 'node:crypto'
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
    const sets = policySetsOf(gates, settings).map(({ id: ofAll, files: all }) => {
      const files = all.map(({ file, text }) => ({ file, text: permittedText(file, text, isPermitted) }))
      return { ofAll, id: createHash('sha256').update(JSON.stringify(files)).digest('base64url'), files }
    })
    const ids = new Map(sets.map(({ ofAll, id }) => [ofAll, id]))
    const named = gates.map(({ policies, ...gate }) =>
      policies ? { ...gate, policies: { ...policies, id: ids.get(policies.id) ?? policies.id } } : gate,
    )
    const policySets = sets.map(({ id, files }) => ({ id, files }))
    return { gates: gatesMessage(named), policySets, destinationNamespace: destination.namespace ?? '' }
  }
}

function pathOf({ spec }: Member): string {
  return cleanDestinationPath(spec.syncSource.path)
}
