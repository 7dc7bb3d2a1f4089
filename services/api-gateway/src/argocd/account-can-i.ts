import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { nearestName } from '@wadi/errors/nearest-name.ts'
import type { CanIRequest } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { objectInProject } from '@wadi/rbac/decide/application-object.ts'
import { hasAction, rbacResources } from '@wadi/rbac/policy/resources-and-actions.ts'
import type { GatewayContext } from '../context.ts'

/** Resources whose objects may name a namespace: `<project>/<namespace>/<name>`. */
const withNamespace = ['applications', 'applicationsets', 'logs', 'exec', 'secrets']

/** Answers whether the caller may do something, by the authorization that decides about calls. */
export function canI({ authorization }: Pick<GatewayContext, 'authorization'>) {
  return ({ resource, action, subresource }: CanIRequest, call: HandlerContext) => {
    const resources = rbacResources.map(({ name }) => name)
    if (!resources.includes(resource)) throw unknown('resource', resource, resources)
    if (!rbacResources.some((known) => hasAction(known, action))) {
      const actions = new Set(rbacResources.flatMap((known) => known.actions))
      throw unknown('action', action, [...actions])
    }
    const object = withNamespace.includes(resource) ? namedAsByPolicies(subresource) : subresource
    return { value: authorization.allows(call, resource, action, object) ? 'yes' : 'no' }
  }
}

/** Policies leave the namespace of the control plane out. */
function namedAsByPolicies(object: string): string {
  const [project = '', namespace = '', name, ...more] = object.split('/')
  return name === undefined || more.length > 0 ? object : objectInProject(project, namespace, name)
}

function unknown(what: string, word: string, known: readonly string[]): InvalidInputError {
  const nearest = nearestName(word, known)
  const guess = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return new InvalidInputError(
    `unknown ${what} ${JSON.stringify(word.slice(0, 100))}; expected one of ${known.join(', ')}${guess}`,
  )
}
