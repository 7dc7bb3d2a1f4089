import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** The kinds that Wadi stores, each with its one `apiVersion`. */
const knownKinds = {
  Application: 'argoproj.io/v1alpha1',
  ApplicationSet: 'argoproj.io/v1alpha1',
  AppProject: 'argoproj.io/v1alpha1',
  ConfigManagementPlugin: 'argoproj.io/v1alpha1',
  Secret: 'v1',
  ConfigMap: 'v1',
  HydratedBranch: 'wadi.dev/v1alpha1',
} as const

/** The name of a kind that Wadi stores. */
export type KnownKind = keyof typeof knownKinds

/**
 * Returns the kind of an object that Wadi stores.
 * @throws InvalidInputError that names the kind, or the `apiVersion` that this kind has.
 */
export function requireKnownKind(object: { apiVersion: string; kind: string }): KnownKind {
  const { apiVersion, kind } = object
  if (!isKnownKind(kind)) {
    throw new InvalidInputError(
      `kind ${JSON.stringify(kind)} (apiVersion ${JSON.stringify(apiVersion)}) is not known; ` +
        `known kinds: ${Object.keys(knownKinds).join(', ')}`,
    )
  }
  if (knownKinds[kind] !== apiVersion) {
    throw new InvalidInputError(
      `kind ${kind} has apiVersion ${knownKinds[kind]}, not ${JSON.stringify(apiVersion)}`,
    )
  }
  return kind
}

function isKnownKind(kind: string): kind is KnownKind {
  return Object.hasOwn(knownKinds, kind)
}
