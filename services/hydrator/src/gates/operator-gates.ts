import {
  errorMessage,
  InvalidInputError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { operatorPoliciesConfigMap } from '@wadi/hydration/operator-policies.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { ClusterDefinition, DefinitionFacts } from './cluster/cluster-definitions.ts'
import type { ClusterPolicies } from './cluster/cluster-policy-files.ts'
import type { FollowedPolicies } from './cluster/cluster-policies.ts'
import {
  type GateRule,
  namedDefinitions,
  readGateRules,
  readPolicyFiles,
  type RuledPolicies,
} from './gate-rules.ts'
import { maxPolicyBytes, placeOf, type PolicyFileFacts } from './operator-policies.ts'

/** The places that policies are read from. */
export interface PolicySources {
  readonly store: ResourceStore
  /** Undefined if nobody follows those of the cluster. */
  readonly clusterPolicies: FollowedPolicies | undefined
}

/** The gates that the operator asks for. */
export interface OperatorGates {
  readonly rules: readonly GateRule[]
  readonly policies?: RuledPolicies & {
    /** By the names that files have in messages. */
    readonly policyTexts: ReadonlyMap<string, string>
  }
  /** Why there are no rules. */
  readonly errors: readonly string[]
}

/** The key of `argocd-cm` with the rules for gates. */
const gatesKey = 'wadi.gates'

const errorsOfRules = [InvalidInputError, ResourceExhaustedError, UnavailableError]

/** Reads the operator's rules for gates, and the policies that they ask for. */
export async function readOperatorGates(sources: PolicySources, text: string): Promise<OperatorGates> {
  try {
    const rules = readGateRules(text, gatesKey)
    const operator = await readOperatorFiles(sources, rules)
    const cluster = await readClusterPolicies(sources, rules)
    const definitions = await readNamedDefinitions(sources, rules)
    if (!operator && !cluster && !definitions) return { rules, errors: [] }
    const defined = definitions?.map((definition) => [definition.file, definition.text] as const) ?? []
    const policies = {
      ...(operator && { policyFiles: operator.files }),
      ...(cluster && { clusterPolicies: cluster }),
      ...(definitions && { clusterDefinitions: definitions.map(factsOf) }),
      policyTexts: new Map([...(operator?.texts ?? []), ...(cluster?.texts ?? []), ...defined]),
    }
    return { rules, policies, errors: [] }
  } catch (error) {
    if (!errorsOfRules.some((known) => error instanceof known)) throw error
    return { rules: [], errors: [`argocd-cm: ${errorMessage(error)}`] }
  }
}

async function readOperatorFiles(
  { store }: PolicySources,
  rules: readonly GateRule[],
): Promise<{ files: readonly PolicyFileFacts[]; texts: ReadonlyMap<string, string> } | undefined> {
  if (!rules.some(({ gate }) => gate === 'operator-policies')) return undefined
  const configMap = await store.get('ConfigMap', controlPlaneNamespace, operatorPoliciesConfigMap)
  const data = configMap && (configMap.data ?? {})
  const texts = Object.entries(data ?? {}).map(([file, text]) => [placeOf(file), text] as const)
  return { files: readPolicyFiles(rules, gatesKey, data), texts: new Map(texts) }
}

async function readClusterPolicies(
  { clusterPolicies }: PolicySources,
  rules: readonly GateRule[],
): Promise<ClusterPolicies | undefined> {
  const index = rules.findIndex(({ gate }) => gate === 'cluster-policies')
  return index === -1 ? undefined : required(clusterPolicies, index).read()
}

async function readNamedDefinitions(
  { clusterPolicies }: PolicySources,
  rules: readonly GateRule[],
): Promise<readonly ClusterDefinition[] | undefined> {
  const index = rules.findIndex(({ clusterDefinitions }) => clusterDefinitions !== undefined)
  if (index === -1) return undefined
  const definitions = namedDefinitions(rules, await required(clusterPolicies, index).definitions())
  const bytes = definitions.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  if (bytes <= maxPolicyBytes) return definitions
  throw new InvalidInputError(
    `the definitions of the cluster that ${gatesKey} names in clusterDefinitions have ${bytes} bytes, more than ${maxPolicyBytes}; name fewer groups`,
  )
}

function factsOf({ text: _text, ...facts }: ClusterDefinition): DefinitionFacts {
  return facts
}

/** @throws InvalidInputError if nobody follows the policies and definitions of the cluster */
function required(followed: FollowedPolicies | undefined, rule: number): FollowedPolicies {
  if (followed) return followed
  throw new InvalidInputError(
    `${gatesKey}[${rule}] asks for what the cluster has; set WADI_CLUSTER_POLICIES=true for the hydrator`,
  )
}
