import type { DescService } from '@bufbuild/protobuf'
import type { RpcRule } from './rpc-rule.ts'

/** The rule of each RPC of a service; one that is left out does not compile. */
type ServiceRules<S extends DescService> = { readonly [Method in keyof S['method']]: RpcRule }

/** The rules of RPCs, by the full name of the service and the local name of the method. */
export type RulesByService = Readonly<Record<string, Readonly<Record<string, RpcRule>>>>

/** The rules of a service, whose contract is named by its type: `rulesOf<typeof Health>({ … })`. */
export function rulesOf<S extends DescService>(rules: ServiceRules<S>): ServiceRules<S> {
  return rules
}
