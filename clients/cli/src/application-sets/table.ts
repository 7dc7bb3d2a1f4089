import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import type { JsonObject } from '@bufbuild/protobuf'
import { qualifiedName } from '../applications/application-name.ts'
import { sourcesOf } from './sources.ts'
import { listAt, objectAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'
import { tableText } from '../output/table.ts'

const headers = ['NAME', 'PROJECT', 'SYNCPOLICY', 'HEALTH', 'CONDITIONS', 'REPO', 'PATH', 'TARGET', 'APPS']

/** Returns the table that `appset list` prints: argocd's columns, and how many Applications there are. */
export function applicationSetTable(sets: readonly JsonObject[]): string {
  return tableText(headers, sets.map(row))
}

function row(set: JsonObject): string[] {
  const spec = objectAt(set, 'spec', 'template', 'spec')
  const [source] = sourcesOf(spec)
  return [
    qualifiedName(set),
    textAt(spec, 'project'),
    syncPolicy(set),
    textAt(set, 'status', 'health', 'status'),
    trueConditions(set),
    shownUrl(textAt(source, 'repoURL')),
    textAt(source, 'path') || textAt(source, 'chart'),
    textAt(source, 'targetRevision'),
    applicationCount(set),
  ]
}

/** Returns the set's policy for its Applications, not their own sync policy. */
function syncPolicy(set: JsonObject): string {
  const policy = objectAt(set, 'spec', 'syncPolicy')
  const preserves = valueAt(policy, 'preserveResourcesOnDeletion') === true
  return `${textAt(policy, 'applicationsSync') || 'sync'}${preserves ? ',preserve' : ''}`
}

function trueConditions(set: JsonObject): string {
  const conditions = listAt(set, 'status', 'conditions')
  const types = conditions.filter((condition) => textAt(condition, 'status') === 'True')
  return types.map((condition) => textAt(condition, 'type')).join(',') || '<none>'
}

function applicationCount(set: JsonObject): string {
  const count = valueAt(set, 'status', 'resourcesCount')
  if (typeof count === 'number') return String(count)
  return valueAt(set, 'status', 'resources') === undefined
    ? ''
    : String(listAt(set, 'status', 'resources').length)
}
