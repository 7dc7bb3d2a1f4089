import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readBySchema } from '@wadi/fields/schema-findings.ts'
import { unplaced } from '@wadi/fields/field-places.ts'
import { severities } from '@wadi/gates/finding.ts'
import { type GateName, gateNames, type GateSeverities } from '@wadi/gates/gate-names.ts'
import { strictest } from '@wadi/gates/severities.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import { operatorPoliciesConfigMap } from '@wadi/hydration/operator-policies.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import { z } from 'zod'
import { chosenDefinitions, type DefinitionFacts } from './cluster/cluster-definitions.ts'
import {
  type ChosenPolicies,
  chosenPolicies,
  policyFileFacts,
  type PolicyFileFacts,
} from './operator-policies.ts'

const maxRules = 200

const severityNames = ['off', ...severities] as const

function oneOf<const Name extends string>(names: readonly Name[]) {
  return z.enum(names, { error: () => `must be one of ${names.join(', ')}` })
}

function isGlob(pattern: string): boolean {
  try {
    compileArgoGlob(pattern)
    return true
  } catch {
    return false
  }
}

const globs = z
  .array(z.string().refine(isGlob, { error: 'is not a pattern' }))
  .min(1, { error: 'must name at least one; leave it out for all' })
  .optional()

const rulesSchema = z
  .array(
    z.strictObject({
      gate: oneOf(gateNames),
      // YAML 1.1 has `off` as a boolean.
      severity: z.preprocess((value) => (value === false ? 'off' : value), oneOf(severityNames)),
      waivable: z.boolean().optional(),
      projects: globs,
      repositories: z
        .array(
          z
            .string()
            .refine(isGlob, { error: 'is not a pattern' })
            .refine((pattern) => !pattern.includes('://'), {
              error: 'must be host/path without a scheme, such as git.example.com/team/*',
            }),
        )
        .min(1, { error: 'must name at least one; leave it out for all' })
        .optional(),
      branches: globs,
      files: globs,
      clusterDefinitions: globs,
      destinations: globs,
      kubernetes: z
        .string()
        .regex(/^1\.\d{1,3}$/, { error: 'must be a version of Kubernetes, such as 1.33' })
        .optional(),
      programs: z.array(z.string()).min(1, { error: 'must name at least one' }).optional(),
    }),
    { error: (issue) => (issue.code === 'invalid_type' ? 'must be a list of rules' : undefined) },
  )
  .max(maxRules, { error: `has more than ${maxRules} rules` })

/** A rule of the operator: the severity of a gate for what its globs match. */
export type GateRule = z.infer<typeof rulesSchema>[number]

/**
 * Reads the operator's rules for gates.
 * @param key that of `argocd-cm`, for messages
 * @throws InvalidInputError naming the field
 */
export function readGateRules(text: string, key: string): readonly GateRule[] {
  const [document] = readYaml(text, key).documents
  const rules = readBySchema(rulesSchema, document?.value ?? [], unplaced('', key))
  for (const [index, { gate, files, programs, clusterDefinitions, kubernetes }] of rules.entries()) {
    if ((programs !== undefined) !== (gate === 'programs'))
      throw new InvalidInputError(`${key}[${index}].programs is for the gate programs, which needs it`)
    if (files !== undefined && gate !== 'operator-policies')
      throw new InvalidInputError(`${key}[${index}].files is only for the gate operator-policies`)
    if (clusterDefinitions !== undefined && gate !== 'schemas')
      throw new InvalidInputError(`${key}[${index}].clusterDefinitions is only for the gate schemas`)
    if (kubernetes !== undefined && gate !== 'api-versions' && gate !== 'schemas')
      throw new InvalidInputError(
        `${key}[${index}].kubernetes is only for the gates api-versions and schemas`,
      )
  }
  return rules
}

/**
 * Returns the files with policies that rules name.
 * @param key that of `argocd-cm`, for messages
 * @param data that of the ConfigMap with policies; undefined if there is none
 * @throws InvalidInputError naming the rule or the glob for which there is no file, or the file that is not YAML
 */
export function readPolicyFiles(
  rules: readonly GateRule[],
  key: string,
  data: Readonly<Record<string, string>> | undefined,
): readonly PolicyFileFacts[] {
  const facts = policyFileFacts(data ?? {})
  for (const [index, rule] of rules.entries()) {
    if (rule.gate !== 'operator-policies') continue
    const at = `${key}[${index}]`
    if (data === undefined)
      throw new InvalidInputError(
        `${at} needs the ConfigMap ${operatorPoliciesConfigMap}, which does not exist`,
      )
    const asked = rule.files ?? ['*']
    const idle = asked.find((glob) => !facts.some(({ file }) => matches([glob], [file])))
    if (idle === undefined) continue
    const named = rule.files === undefined ? at : `${at}.files: ${JSON.stringify(idle)}`
    throw new InvalidInputError(`${named} names no file of the ConfigMap ${operatorPoliciesConfigMap}`)
  }
  return facts
}

function isNamedBy({ files }: GateRule): (one: PolicyFileFacts) => boolean {
  return ({ file }) => matches(files, [file])
}

/** The Application that rules are asked about. */
export interface RuledApplication {
  readonly project: string
  /** The URLs of its dry and its hydrated repositories; a rule for one of them applies. */
  readonly repositories: readonly string[]
  /** The branch that it is hydrated to and the one that it is deployed from; a rule for one of them applies. */
  readonly branches: readonly string[]
  /** The name and the address of the cluster that it is deployed to; a rule for one of them applies. */
  readonly destinations: readonly string[]
  /** True if it is deployed to the cluster that keeps Wadi's objects. */
  readonly isInCluster: boolean
}

/** Returns the definitions that any of some rules names. */
export function namedDefinitions<Definition extends DefinitionFacts>(
  rules: readonly GateRule[],
  definitions: readonly Definition[],
): readonly Definition[] {
  const named = rules.flatMap(({ clusterDefinitions }) => (clusterDefinitions ? [clusterDefinitions] : []))
  return definitions.filter(({ group }) => named.some((groups) => matches(groups, [group])))
}

/** The policies and definitions that rules may ask for. */
export interface RuledPolicies {
  /** All files of the operator. */
  readonly policyFiles?: readonly PolicyFileFacts[]
  /** Those of the cluster that keeps Wadi's objects. */
  readonly clusterPolicies?: ChosenPolicies
  /** The definitions of the same cluster that any rule names. */
  readonly clusterDefinitions?: readonly DefinitionFacts[]
}

/** A gate that the operator asks for. */
export interface RuledGate {
  readonly gate: GateName
  readonly severity: RuledSeverity
  /** The severity that findings keep which a waiver of the repository covers; empty for none. */
  readonly unwaivable: RuledSeverity | ''
  /** The files of the gates `operator-policies` and `cluster-policies`, and definitions of the cluster for `schemas`. */
  readonly policies?: ChosenPolicies
  /** The programs of the gate `programs`, sorted. */
  readonly programs?: readonly string[]
  /** The version of Kubernetes that the operator names for the destination; default: that of the source. */
  readonly kubernetes?: string
}

type RuledSeverity = GateRule['severity']

/**
 * Returns the gates of the rules that match one of some Applications, each with the strictest severity of all of its rules, and of those that the
 * repository cannot waive. Repositories match as `host/path`, however they are spelled. Of versions of Kubernetes the first one applies.
 */
export function ruledGates(
  rules: readonly GateRule[],
  applications: readonly RuledApplication[],
  { policyFiles = [], clusterPolicies, clusterDefinitions = [] }: RuledPolicies = {},
): readonly RuledGate[] {
  const matching = rules.filter((rule) => applications.some((application) => applies(rule, application)))
  const kubernetes = matching.find((rule) => rule.kubernetes !== undefined)?.kubernetes
  const strict = strictestOf(matching)
  const unwaivable = strictestOf(matching.filter(({ waivable = false }) => !waivable))
  return gateNames.flatMap((gate) => {
    const severity = strict[gate]
    if (severity === undefined) return []
    const own = matching.filter((rule) => rule.gate === gate)
    const ruled = {
      gate,
      severity,
      unwaivable: unwaivable[gate] ?? '',
      ...(kubernetes && { kubernetes }),
    } as const
    if (gate === 'programs')
      return [{ ...ruled, programs: [...new Set(own.flatMap(({ programs = [] }) => programs))].toSorted() }]
    if (gate === 'schemas' && applications.some(({ isInCluster }) => isInCluster)) {
      const definitions = namedDefinitions(own, clusterDefinitions)
      return [{ ...ruled, ...(definitions.length > 0 && { policies: chosenDefinitions(definitions) }) }]
    }
    if (gate === 'cluster-policies' && clusterPolicies) return [{ ...ruled, policies: clusterPolicies }]
    if (gate !== 'operator-policies') return [ruled]
    const of = own.map(isNamedBy)
    return [{ ...ruled, policies: chosenPolicies(policyFiles.filter((file) => of.some((is) => is(file)))) }]
  })
}

function strictestOf(rules: readonly GateRule[]): GateSeverities {
  return strictest(rules.map(({ gate, severity }) => ({ [gate]: severity })))
}

function applies(
  rule: GateRule,
  { project, repositories, branches, destinations, isInCluster }: RuledApplication,
): boolean {
  return (
    (isInCluster || rule.gate !== 'cluster-policies') &&
    matches(rule.projects, [project]) &&
    matches(rule.branches, branches) &&
    matches(rule.destinations, destinations) &&
    matches(rule.repositories?.map(spelled), repositories.map(repositoryIdentity))
  )
}

function spelled(pattern: string): string {
  return pattern
    .toLowerCase()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
}

function matches(patterns: readonly string[] | undefined, names: readonly string[]): boolean {
  if (patterns === undefined) return true
  return patterns.map((pattern) => compileArgoGlob(pattern)).some((isMatch) => names.some(isMatch))
}
