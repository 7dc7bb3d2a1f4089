import { create } from '@bufbuild/protobuf'
import type { GateName } from '@wadi/gates/gate-names.ts'
import { type Gates, GatesSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { RuledGate } from './gate-rules.ts'

/** Returns the message that asks for gates. */
export function gatesMessage(gates: readonly RuledGate[]): Gates {
  const policiesOf = (name: GateName) => gates.find(({ gate }) => gate === name)?.policies
  const operator = policiesOf('operator-policies')
  const cluster = policiesOf('cluster-policies')
  const definitions = policiesOf('schemas')
  return create(GatesSchema, {
    severities: gates.map(({ gate, severity, unwaivable }) => ({ gate, severity, unwaivable })),
    programs: gates.flatMap(({ programs = [] }) => programs),
    ...(operator && { policiesId: operator.id }),
    ...(cluster && { clusterPoliciesId: cluster.id }),
    ...(definitions && { definitionsId: definitions.id }),
    kubernetesVersion: gates.find(({ kubernetes }) => kubernetes !== undefined)?.kubernetes ?? '',
    policiesWantFormer: [operator, cluster].some((policies) => policies?.wantsFormer === true),
  })
}
