import type { GateSeverities } from '@wadi/gates/gate-names.ts'
import type { GateContext, PolicyFile } from '@wadi/gates/gate.ts'
import { operatorSeverities } from '@wadi/gates/severities.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { GetGatesResponse } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

/** The gates that an operator asks for of objects, besides those of their repository. */
export interface OperatorGates {
  readonly severities: GateSeverities
  /** The severities that findings keep which a waiver covers. */
  readonly unwaivable: GateSeverities
  readonly policies: Pick<GateContext, 'operatorPolicies' | 'clusterPolicies'>
  /** CustomResourceDefinitions of the cluster, over which those of the repository take precedence. */
  readonly definitions: readonly Manifest[]
  /** True if the gates that neither the operator nor the repository names are off, as in hydration. */
  readonly isServer: boolean
}

/** Returns what follows from files with policies of the operator, if there are any. */
export function gatesOfFiles(operatorPolicies: readonly PolicyFile[] | undefined): OperatorGates {
  const asked: GateSeverities = operatorPolicies ? { 'operator-policies': 'deny' } : {}
  const policies = operatorPolicies ? { operatorPolicies } : {}
  return { severities: asked, unwaivable: asked, policies, definitions: [], isServer: false }
}

/** Returns what a server asks for of an Application. @throws CommandFailure for a gate that this version does not know */
export function gatesOfServer({ gates, policySets }: GetGatesResponse): OperatorGates {
  const filesOf = (id = '') => policySets.find((set) => set.id !== '' && set.id === id)?.files
  const operatorPolicies = filesOf(gates?.policiesId)
  const clusterPolicies = filesOf(gates?.clusterPoliciesId)
  const { asked, unwaivable } = operatorSeverities(gates?.severities ?? [], unknownGate)
  return {
    severities: asked,
    unwaivable,
    policies: { ...(operatorPolicies && { operatorPolicies }), ...(clusterPolicies && { clusterPolicies }) },
    definitions: (filesOf(gates?.definitionsId) ?? []).flatMap(({ file, text }) =>
      parseManifests(text, { file }),
    ),
    isServer: true,
  }
}

function unknownGate(gate: string, severity: string): CommandFailure {
  return new CommandFailure(
    `the server asks for the gate ${gate} with severity ${severity}, which this version does not know; update it`,
  )
}
