import { shownUrl } from '@wadi/git/remote/repository-url.ts'
import type { JsonObject } from '@bufbuild/protobuf'
import type {
  ApplicationBranches,
  GetApplicationResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { KeptTool } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { drySourcesIn } from '@wadi/resources/application/dry-source-objects.ts'
import { qualifiedName } from './application-name.ts'
import { sourcesOf } from '../application-sets/sources.ts'
import { hydrationState, shortSha } from './hydration-state.ts'
import { listAt, objectAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'
import { printable } from '../output/printable.ts'
import { blockLine, tableText } from '../output/table.ts'
import { keptToolLines } from '../tools/kept-tool-lines.ts'

/** Returns the block that `app get` prints: argocd's lines first, then what the hydrated branches hold. */
export function applicationBlock(
  application: JsonObject,
  { branches, keptTools }: Pick<GetApplicationResponse, 'branches' | 'keptTools'>,
): string {
  const spec = objectAt(application, 'spec')
  const destination = objectAt(spec, 'destination')
  const lines = [
    blockLine('Name:', qualifiedName(application)),
    blockLine('Project:', textAt(spec, 'project')),
    blockLine('Server:', textAt(destination, 'server') || textAt(destination, 'name')),
    blockLine('Namespace:', textAt(destination, 'namespace')),
    ...('sourceHydrator' in spec ? hydratedLines(application, branches, keptTools) : plainLines(spec)),
  ]
  return lines.join('') + conditionTable(application) + warningLines(application) + findingTable(application)
}

function hydratedLines(
  application: JsonObject,
  branches: ApplicationBranches | undefined,
  keptTools: readonly KeptTool[],
): string[] {
  const hydrator = objectAt(application, 'spec', 'sourceHydrator')
  const sync = objectAt(hydrator, 'syncSource')
  const hydrateTo = textAt(hydrator, 'hydrateTo', 'targetBranch')
  const sources = drySourcesIn(application)
  return [
    sources.length > 1 ? 'Dry Sources:\n' : 'Dry Source:\n',
    ...sources.flatMap(drySourceLines),
    'Sync Source:\n',
    blockLine('- Repo:', shownUrl(textAt(sync, 'repoURL') || textAt(sources[0], 'repoURL'))),
    blockLine('  Target:', textAt(sync, 'targetBranch')),
    blockLine('  Path:', textAt(sync, 'path')),
    blockLine('Hydrate To:', hydrateTo || '<none>'),
    ...hydrationLines(application),
    ...(branches ? branchLines(branches) : []),
    ...keptToolLines(
      keptTools,
      sources.map((source) => ({
        repoUrl: textAt(source, 'repoURL'),
        targetRevision: textAt(source, 'targetRevision'),
        chart: textAt(source, 'chart'),
      })),
    ),
  ]
}

function drySourceLines(source: JsonObject): string[] {
  const [chart, ref] = [textAt(source, 'chart'), textAt(source, 'ref')]
  return [
    blockLine('- Repo:', shownUrl(textAt(source, 'repoURL'))),
    ...(chart === '' ? [] : [blockLine('  Chart:', chart)]),
    blockLine('  Target:', textAt(source, 'targetRevision')),
    ...(ref === '' ? [] : [blockLine('  Ref:', ref)]),
    ...(ref !== '' && textAt(source, 'path') === '' ? [] : [blockLine('  Path:', textAt(source, 'path'))]),
  ]
}

/** Applications that are not hydrated are stored for others. */
function plainLines(spec: JsonObject): string[] {
  const sources = sourcesOf(spec)
  return [
    sources.length > 1 ? 'Sources:\n' : 'Source:\n',
    ...sources.flatMap((source) => [
      blockLine('- Repo:', shownUrl(textAt(source, 'repoURL'))),
      blockLine('  Target:', textAt(source, 'targetRevision')),
      blockLine('  Path:', textAt(source, 'path')),
    ]),
    blockLine('Hydration:', '<none>, there is no spec.sourceHydrator'),
  ]
}

function hydrationLines(application: JsonObject): string[] {
  const state = hydrationState(application)
  return [
    blockLine('Hydration:', state.status),
    ...messageLines(state.message),
    ...(state.foreignChange === '' ? [] : [blockLine('Foreign Change:', printable(state.foreignChange))]),
    ...(state.pullRequest === '' ? [] : [blockLine('Pull Request:', printable(state.pullRequest))]),
    blockLine('Dry SHA:', state.drySha),
    blockLine('Hydrated SHA:', state.hydratedSha),
    ...proofLines(application),
  ]
}

/** The proof of the hydrated commit; none for one that is not signed. */
function proofLines(application: JsonObject): string[] {
  const proof = objectAt(application, 'status', 'sourceHydrator', 'proof')
  const verifiedAt = textAt(proof, 'verifiedAt')
  if (verifiedAt === '') return []
  const [key, owner] = [textAt(proof, 'key'), textAt(proof, 'owner')]
  return [
    blockLine('Signed By:', key ? printable(owner ? `${key} (${owner})` : key) : 'unknown key'),
    blockLine('Attested:', valueAt(proof, 'attested') === true ? 'yes' : 'no'),
    blockLine('Gates:', `${textAt(proof, 'gatesMessage')} (of this commit)`),
    blockLine('Verified At:', verifiedAt),
  ]
}

/** One line for each error, since a run reports all that it found. */
function messageLines(message: string): string[] {
  const lines = message.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line, index) => blockLine(index === 0 ? 'Message:' : '', line))
}

function branchLines(branches: ApplicationBranches): string[] {
  if (branches.error !== '') return [blockLine('Branches:', `cannot be read: ${printable(branches.error)}`)]
  const sync = blockLine('Sync Branch:', holds(branches.syncBranch, branches.syncDrySha))
  if (branches.hydrateToBranch === '') return [sync]
  return [
    blockLine('Staged Branch:', holds(branches.hydrateToBranch, branches.hydrateToDrySha)),
    sync,
    blockLine('Promotion:', branches.promotion.toLowerCase()),
  ]
}

function holds(branch: string, sha: string): string {
  return `${branch} holds ${sha === '' ? 'nothing yet' : shortSha(sha)}`
}

function conditionTable(application: JsonObject): string {
  const conditions = listAt(application, 'status', 'conditions')
  if (conditions.length === 0) return ''
  const rows = conditions.map((condition) => [
    textAt(condition, 'type'),
    textAt(condition, 'message'),
    textAt(condition, 'lastTransitionTime'),
  ])
  return `\n${tableText(['CONDITION', 'MESSAGE', 'LAST TRANSITION'], rows)}`
}

function findingTable(application: JsonObject): string {
  const findings = listAt(application, 'status', 'sourceHydrator', 'findings')
  if (findings.length === 0) return ''
  const rows = findings.map((finding) => [
    textAt(finding, 'waiver', 'owner') === '' ? textAt(finding, 'severity') : 'waived',
    ...['rule', 'object', 'field'].map((name) => textAt(finding, name)),
    placeText(textAt(finding, 'file'), valueAt(finding, 'line')),
  ])
  return `\n${tableText(['SEVERITY', 'RULE', 'OBJECT', 'FIELD', 'PLACE'], rows)}`
}

function placeText(file: string, line: unknown): string {
  return typeof line === 'number' && line > 0 ? `${file}:${line}` : file
}

function warningLines(application: JsonObject): string {
  const warnings = listAt(application, 'status', 'sourceHydrator', 'warnings')
  const lines = warnings
    .filter((warning) => typeof warning === 'string')
    .map((warning) => `- ${printable(warning)}\n`)
  return lines.length === 0 ? '' : `\nWarnings:\n${lines.join('')}`
}
