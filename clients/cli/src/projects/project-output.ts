import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { textAt, valueAt } from '@wadi/fields/json-fields.ts'
import { printable } from '../output/printable.ts'
import { destinationText, objectsAt, textsAt } from './project-spec.ts'
import { structuredText } from '../output/structured-output.ts'
import { tableText } from '../output/table.ts'

/** The output formats of projects. */
export type ProjectFormat = 'wide' | 'name' | 'json' | 'yaml'

const headers = [
  'NAME',
  'DESCRIPTION',
  'DESTINATIONS',
  'SOURCES',
  'CLUSTER-RESOURCE-WHITELIST',
  'NAMESPACE-RESOURCE-BLACKLIST',
  'SIGNATURE-KEYS',
  'ORPHANED-RESOURCES',
  'DESTINATION-SERVICE-ACCOUNTS',
]

/** Returns the text of several projects, in argocd's columns. */
export function projectsText(projects: readonly JsonObject[], format: ProjectFormat): string {
  if (format === 'name') return projects.map((project) => `${printable(nameOf(project))}\n`).join('')
  if (format !== 'wide') return structuredText(projects, format)
  const rows = projects.map((project) => {
    const { spec } = project
    return [
      nameOf(project),
      textAt(spec, 'description'),
      countText(objectsAt(spec, 'destinations').map(destinationText), 'destinations'),
      countText(textsAt(spec, 'sourceRepos'), 'repos'),
      countText(objectsAt(spec, 'clusterResourceWhitelist').map(kindText), 'resources'),
      countText(objectsAt(spec, 'namespaceResourceBlacklist').map(kindText), 'resources'),
      countText(objectsAt(spec, 'signatureKeys').map(keyText), 'keys'),
      orphanedText(spec),
      countText(objectsAt(spec, 'destinationServiceAccounts').map(destinationText), 'accounts'),
    ]
  })
  return tableText(headers, rows)
}

/** Returns the text of one project, laid out as argocd does. */
export function projectText(project: JsonObject, format: ProjectFormat): string {
  if (format === 'name') return projectsText([project], format)
  if (format !== 'wide') return structuredText(project, format)
  const { spec } = project
  return [
    lines('Name:', [nameOf(project)]),
    lines('Description:', [textAt(spec, 'description')]),
    lines('Destinations:', objectsAt(spec, 'destinations').map(destinationText)),
    lines('Repositories:', textsAt(spec, 'sourceRepos')),
    lines('Source Namespaces:', textsAt(spec, 'sourceNamespaces')),
    lines('Allowed Cluster Resources:', objectsAt(spec, 'clusterResourceWhitelist').map(kindText)),
    lines('Denied Namespaced Resources:', objectsAt(spec, 'namespaceResourceBlacklist').map(kindText)),
    lines('Signature keys:', objectsAt(spec, 'signatureKeys').map(keyText)),
    lines('Orphaned Resources:', [orphanedText(spec)]),
    lines(
      'Roles:',
      objectsAt(spec, 'roles').map((role) => textAt(role, 'name')),
    ),
  ].join('')
}

function nameOf(project: JsonObject): string {
  return textAt(project, 'metadata', 'name')
}

function kindText(resource: JsonObject): string {
  return `${textAt(resource, 'group')}/${textAt(resource, 'kind')}`
}

function keyText(key: JsonObject): string {
  return textAt(key, 'keyID')
}

function orphanedText(spec: JsonValue | undefined): string {
  const orphaned = valueAt(spec, 'orphanedResources')
  if (orphaned === undefined || orphaned === null) return 'disabled'
  return `enabled (warn=${valueAt(orphaned, 'warn') !== false})`
}

function countText(items: readonly string[], what: string): string {
  const [only = '<none>'] = items
  return items.length > 1 ? `${items.length} ${what}` : only
}

/** One line for each value, the first with the key. */
function lines(key: string, values: readonly string[]): string {
  const [first = '<none>', ...rest] = values
  return [first, ...rest]
    .map((value, index) => `${(index === 0 ? key : '').padEnd(29)}${printable(value)}\n`)
    .join('')
}
