import { createContextKey, type ContextValues, type Interceptor } from '@connectrpc/connect'
import { rpcRuleOf } from '@wadi/rpc/access/rpc-rules.ts'

const decisionKey = createContextKey(false, { description: 'whether the policy was asked' })

/** Notes that the policy was asked about a call, or is asked by the service that the call is handed on to. */
export function noteDecision(values: ContextValues): void {
  values.set(decisionKey, true)
}

/**
 * Keeps back the answer of a handler that should have asked the policy and never did: it is a bug in this program, and
 * the caller may have no right to what it says.
 */
export const requireDecision: Interceptor = (next) => async (request) => {
  const { service, method, contextValues } = request
  const response = await next(request)
  if (rpcRuleOf(service, method)?.access !== 'policy' || contextValues.get(decisionKey)) return response
  throw new Error(`${service.typeName}/${method.name} answers without having asked the policy`)
}
