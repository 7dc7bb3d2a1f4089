import { DomainError } from '@wadi/errors/domain-error.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { FollowedParameters } from './followed-parameters.ts'
import { type ParameterKind, parameterChoice, parameterKinds } from './parameter-choices.ts'
import { parameterText, readsStatus } from './parameter-text.ts'

/** Policies with their bindings, and what judges beside them. */
interface PolicyObjects {
  readonly policies: readonly Resource[]
  readonly bindings: readonly Resource[]
  /** The CustomResourceDefinitions of the cluster. */
  readonly definitions: readonly Resource[]
}

/** Policies and bindings as they judge, and their parameters as JSON. */
interface JudgingObjects {
  readonly policies: readonly Resource[]
  readonly parameters: readonly string[]
  /** Those that the namespace of an object chooses, without the former. */
  readonly ofNamespaces: readonly string[]
}

/**
 * Reads the parameters that bindings choose. A policy whose parameters cannot be read says so of every object that it is for, and denies none.
 * @throws what `FollowedParameters.read` throws
 */
export async function withParameters(
  { policies, bindings, definitions }: PolicyObjects,
  parameters: Pick<FollowedParameters, 'read'>,
): Promise<JudgingObjects> {
  const kindOf = parameterKinds(definitions)
  const kinds = new Map(policies.map((policy) => [policy.metadata.name, kindOf(policy)]))
  const withStatus = new Set(
    policies.filter(readsStatus).map(({ metadata: { name } }) => nameOf(kinds.get(name))),
  )
  const choices = bindings.flatMap((binding) => {
    const policy = textAt(binding.spec, 'policyName')
    const kind = kinds.get(policy)
    const choice = kind && !isSecretKind(kind) && parameterChoice(kind, binding)
    if (!choice) return []
    const isOfNamespaces = kind.isNamespaced && !choice.namespace
    return [{ policy, choice, isOfNamespaces, hasStatus: withStatus.has(nameOf(kind)) }]
  })
  const read = await parameters.read(choices.map(({ choice }) => choice))
  const reasons = new Map(
    choices.flatMap(({ policy }, index) => {
      const reason = read[index]
      return reason instanceof DomainError ? [[policy, reason] as const] : []
    }),
  )
  const objects = choices.flatMap(({ isOfNamespaces, hasStatus }, index) => {
    const one = read[index]
    if (one === undefined || one instanceof DomainError) return []
    return one.map((text) => ({ text: parameterText(text, hasStatus), isOfNamespaces }))
  })
  const shared = new Set(objects.flatMap(({ text, isOfNamespaces }) => (isOfNamespaces ? [] : [text])))
  const own = new Set(objects.map(({ text }) => text)).difference(shared)
  const judging = policies.flatMap((policy) => {
    const { name } = policy.metadata
    const bound = bindings.filter(({ spec }) => textAt(spec, 'policyName') === name)
    return asJudged(policy, bound, { kind: kinds.get(name), reason: reasons.get(name) })
  })
  const loose = bindings.filter(({ spec }) => !kinds.has(textAt(spec, 'policyName')))
  return {
    policies: [...judging, ...loose],
    parameters: [...shared].toSorted(),
    ofNamespaces: [...own].toSorted(),
  }
}

function nameOf(kind: ParameterKind | undefined): string {
  return `${kind?.apiVersion} ${kind?.kind}`
}

function isSecretKind({ apiVersion, kind }: ParameterKind): boolean {
  return apiVersion === 'v1' && kind === 'Secret'
}

function asJudged(
  policy: Resource,
  bindings: readonly Resource[],
  { kind, reason }: { kind: ParameterKind | undefined; reason: DomainError | undefined },
): readonly Resource[] {
  if (kind === undefined) return [policy, ...bindings]
  if (kind.resource === undefined || reason?.code === 'unknown-kind')
    return unconfigured(policy, bindings, kind)
  const unread = isSecretKind(kind) ? 'values of Secrets stay in the cluster' : reason?.message
  if (unread === undefined) return [policy, ...bindings]
  const message = `cannot be judged here, as its parameters of the kind ${kind.kind} cannot be read: ${unread}`
  const audited = bindings.map((binding) =>
    withAction(binding, 'Warn', objectAt(binding.spec)['matchResources']),
  )
  return [failing(policy, message), ...audited]
}

/** The API server denies by its failure policy what a policy is for, whatever its bindings are for. */
function unconfigured(
  policy: Resource,
  [binding]: readonly Resource[],
  { apiVersion, kind }: ParameterKind,
): readonly Resource[] {
  if (binding === undefined || policy.spec?.['failurePolicy'] === 'Ignore') return []
  const kindName = `${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`
  const message = `failed to configure policy: failed to find resource referenced by paramKind: '${kindName}'`
  return [failing(policy, message), withAction(binding, 'Deny', undefined)]
}

/** A policy for the same objects that all of them fail. */
function failing({ apiVersion, kind, metadata, spec }: Resource, message: string): Resource {
  const matchConstraints = objectAt(spec, 'matchConstraints')
  const validations = [{ expression: 'false', message }]
  return { apiVersion, kind, metadata, spec: { matchConstraints, failurePolicy: 'Ignore', validations } }
}

function withAction(
  { apiVersion, kind, metadata, spec }: Resource,
  action: 'Warn' | 'Deny',
  matchResources: unknown,
): Resource {
  const { policyName } = objectAt(spec)
  const own = {
    policyName,
    validationActions: [action],
    ...(matchResources !== undefined && { matchResources }),
  }
  return { apiVersion, kind, metadata, spec: own }
}
