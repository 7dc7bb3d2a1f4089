import type { DescService } from '@bufbuild/protobuf'
import type { RpcRule } from './rpc-rule.ts'

/** The rule of each RPC of a service; one that is left out does not compile. */
type ServiceRules<S extends DescService> = { readonly [Method in keyof S['method']]: RpcRule }

/** Pairs a service with the rules of its RPCs. */
export function rulesOf<S extends DescService>(
  service: S,
  rules: ServiceRules<S>,
): readonly [DescService, Readonly<Record<string, RpcRule>>] {
  return [service, rules]
}
