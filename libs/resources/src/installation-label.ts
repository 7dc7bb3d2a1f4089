import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isLabelValue } from './object-checks.ts'
import type { Resource } from './resource.ts'

/** The label that says which installation of a cluster an Application or ApplicationSet belongs to, where several share its namespace. */
export const installationLabel = 'wadi.dev/installation'

/**
 * Returns the label selector of what belongs to an installation: objects with its name, or, for the one without a name, those without the label.
 * @throws InvalidInputError for a name that cannot be the value of a label
 */
export function installationSelector(name: string): string {
  if (name === '') return `!${installationLabel}`
  if (isLabelValue(name)) return `${installationLabel}=${name}`
  throw new InvalidInputError(
    `installation ${JSON.stringify(name)} cannot be the value of a label; give at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends`,
  )
}

/**
 * Returns an object with the label of an installation.
 * @throws InvalidInputError for one with the label of another installation
 */
export function withInstallation(object: Resource, name: string): Resource {
  const { kind, metadata } = object
  const found = metadata.labels?.[installationLabel]
  if (found === (name === '' ? undefined : name)) return object
  if (found === undefined) {
    return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, [installationLabel]: name } } }
  }
  throw new InvalidInputError(
    `${kind} ${metadata.name}: label ${installationLabel} is ${JSON.stringify(found)}, and this is ${installationText(name)}; leave the label out, or write to that installation`,
  )
}

/** An installation in a message. */
function installationText(name: string): string {
  return name === '' ? 'the installation without a name' : `installation ${JSON.stringify(name)}`
}
