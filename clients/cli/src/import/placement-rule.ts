import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'

/** The rule by which Applications get branches and paths, each a text with placeholders such as `{{name}}`. */
export interface PlacementRule {
  readonly branch: string
  readonly path: string
}

/** A placeholder of a rule, with its name as the first group. */
export const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g
const labels = 'labels.'
const placeholders: Readonly<Record<string, (application: Manifest, set: string) => string>> = {
  name: (application) => textAt(application, 'metadata', 'name'),
  namespace: (application) => textAt(application, 'metadata', 'namespace') || controlPlaneNamespace,
  project: (application) => textAt(application, 'spec', 'project') || 'default',
  destination: (application) => destinationText(application),
  'destination.namespace': (application) => textAt(application, 'spec', 'destination', 'namespace'),
  set: (_, set) => set,
}

const placeholderNames = [...Object.keys(placeholders), `${labels}KEY`, '.KEY']

/** The address of the cluster that a control plane runs in, which Argo CD names `in-cluster`. */
const ownCluster = 'https://kubernetes.default.svc'
const ownClusterName = 'in-cluster'

/** @throws InvalidInputError for a placeholder that does not exist */
export function checkRule(rule: string, flag: string): void {
  for (const [text, name = ''] of rule.matchAll(placeholder)) {
    if (Object.hasOwn(placeholders, name) || (name.startsWith(labels) && name !== labels)) continue
    if (isAction(name)) continue
    throw new InvalidInputError(
      `${flag}: ${text} is not a placeholder; expected one of ${placeholderNames.map((known) => `{{${known}}}`).join(', ')}`,
    )
  }
}

/** True for a placeholder of the templates that make Applications, such as `.Values.name`, which stays in them. */
export function isAction(name: string): boolean {
  return /^\.\w/.test(name)
}

/** True if a rule has a placeholder. */
export function asksFor({ branch, path }: PlacementRule, name: string): boolean {
  return [...`${branch}\n${path}`.matchAll(placeholder)].some(([, asked]) => asked === name)
}

/**
 * Fills in a rule for an Application, or for the template of the ApplicationSet of a name, whose own placeholders stay.
 * @param keepsActions true to leave those of templates in the text
 * @throws InvalidInputError for a value that the Application does not have
 */
export function filledIn(
  rule: string,
  application: Manifest,
  set: string,
  keepsActions = set !== '',
): string {
  return rule.replaceAll(placeholder, (text, name: string) => {
    if (isAction(name) && keepsActions) return text
    const value = name.startsWith(labels)
      ? textAt(application, 'metadata', 'labels', name.slice(labels.length))
      : (placeholders[name]?.(application, set) ?? '')
    if (value !== '') return value
    throw new InvalidInputError(`it has no value for ${text} of the rule; use another placeholder`)
  })
}

/** Returns what tells the cluster of an Application from others, for people. */
export function clusterOf(application: Manifest): string {
  const server = textAt(application, 'spec', 'destination', 'server')
  const name = textAt(application, 'spec', 'destination', 'name')
  if (server === ownCluster || name === ownClusterName) return ownClusterName
  return server === '' ? `the cluster named ${name}` : server
}

/** @throws InvalidInputError for an address without a host */
function destinationText(application: Manifest): string {
  const name = textAt(application, 'spec', 'destination', 'name')
  const server = textAt(application, 'spec', 'destination', 'server')
  if (name !== '' || server === '') return name
  if (server === ownCluster) return ownClusterName
  const host = server.includes('{{') ? undefined : URL.parse(server)?.hostname
  if (host) return host
  throw new InvalidInputError(
    `spec.destination.server ${JSON.stringify(server)} has no host for {{destination}}; use destination.name, or another placeholder`,
  )
}
