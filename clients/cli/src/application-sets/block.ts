import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import type { JsonObject } from '@bufbuild/protobuf'
import { qualifiedName } from '../applications/application-name.ts'
import { automationOf, sourcesOf } from './sources.ts'
import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { blockLine, tableText } from '../output/table.ts'

/** Returns the block that argocd prints of an ApplicationSet: what its template says, then its conditions. */
export function applicationSetBlock(set: JsonObject): string {
  const spec = objectAt(set, 'spec', 'template', 'spec')
  const destination = objectAt(spec, 'destination')
  const sources = sourcesOf(spec)
  const automation = automationOf(spec)
  const lines = [
    blockLine('Name:', qualifiedName(set)),
    blockLine('Project:', textAt(spec, 'project')),
    blockLine('Server:', textAt(destination, 'server') || textAt(destination, 'name')),
    blockLine('Namespace:', textAt(destination, 'namespace')),
    blockLine('Health Status:', textAt(set, 'status', 'health', 'status')),
    sources.length > 1 ? 'Sources:\n' : 'Source:\n',
    ...sources.map(sourceLines),
    ...hydrationLines(spec),
    blockLine('SyncPolicy:', automation ? `Automated${automation.prune ? ' (Prune)' : ''}` : '<none>'),
  ]
  return `${lines.join('')}${conditionTable(set)}`
}

function sourceLines(source: JsonObject): string {
  const values = listAt(source, 'helm', 'valueFiles').filter((file) => typeof file === 'string')
  const optional: [string, string][] = [
    ['  Path:', textAt(source, 'path')],
    ['  Chart:', textAt(source, 'chart')],
    ['  Helm Values:', values.join(',')],
    ['  Name Prefix:', textAt(source, 'kustomize', 'namePrefix')],
    ['  Ref:', textAt(source, 'ref')],
  ]
  return (
    blockLine('- Repo:', shownUrl(textAt(source, 'repoURL'))) +
    blockLine('  Target:', textAt(source, 'targetRevision')) +
    optional.map(([key, value]) => (value === '' ? '' : blockLine(key, value))).join('')
  )
}

function hydrationLines(spec: JsonObject): string[] {
  const sync = objectAt(spec, 'sourceHydrator', 'syncSource')
  if (Object.keys(sync).length === 0) return []
  const staged = textAt(spec, 'sourceHydrator', 'hydrateTo', 'targetBranch')
  return [
    blockLine('Hydrate To:', staged || textAt(sync, 'targetBranch')),
    blockLine('  Path:', textAt(sync, 'path')),
  ]
}

function conditionTable(set: JsonObject): string {
  const rows = listAt(set, 'status', 'conditions').map((condition) => [
    textAt(condition, 'type'),
    textAt(condition, 'status'),
    textAt(condition, 'message'),
    goTime(textAt(condition, 'lastTransitionTime')),
  ])
  if (rows.length === 0) return ''
  return `\n${tableText(['CONDITION', 'STATUS', 'MESSAGE', 'LAST TRANSITION'], rows)}`
}

/** A time as Go prints it, because that is what argocd shows. */
function goTime(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z$/, '$1 $2 +0000 UTC')
}
