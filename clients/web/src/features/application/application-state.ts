import type { JsonObject } from '@bufbuild/protobuf'
import { listAt, objectAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'
import { drySourcesIn, hasManifests } from '@wadi/resources/application/dry-source-objects.ts'
import { t } from '../../language/t.ts'

/** A dry source as the page shows it. */
interface ShownSource {
  repoUrl: string
  targetRevision: string
  /** A directory, or the name of a chart; empty when it only gives files to others. */
  path: string
  /** The name by which other sources read its files; empty for none. */
  ref: string
  /** True for a chart in a repository of charts. */
  isChart: boolean
}

/** The proof of a hydrated commit, as the page shows it. */
export interface ShownProof {
  /** The fingerprint of the key that signed it, and whose key that is; empty when they are not known. */
  key: string
  owner: string
  isAttested: boolean
  /** The results of gates, in words. */
  gates: string
  verifiedAt: string
}

/** The facts about an Application's object that the page shows. */
export interface ApplicationState {
  project: string
  /** The ApplicationSet that made it; empty for none. */
  applicationSet: string
  /** The namespace and cluster for which the manifests are meant. */
  destination: string
  /** All dry sources; the commits of the first are the dry commits. */
  sources: readonly ShownSource[]
  /** The initial revision of previews: that of the first source. */
  targetRevision: string
  /** The git repositories of the dry commits and of the hydrated ones; the first is empty where the dry commits are archives of a chart. */
  dryRepoUrl: string
  hydratedRepoUrl: string
  syncRepoUrl: string
  syncBranch: string
  syncPath: string
  hydrateTo: string
  phase: string
  message: string
  startedAt: string
  finishedAt: string
  /** The dry commit of the newest run. */
  operationDrySha: string
  /** Dry and hydrated commit of the newest success. */
  drySha: string
  hydratedSha: string
  warnings: readonly string[]
  /** The findings of gates that no waiver covers, a line each. */
  findings: readonly string[]
  /** The proof of the hydrated commit; undefined for one that is not signed. */
  proof: ShownProof | undefined
  foreignChange: string
  /** The pull request to the branch that is deployed from: its page, and how it stands in words; both empty without one. */
  pullRequestUrl: string
  pullRequest: string
  conditions: readonly { type: string; message: string }[]
  isHydrated: boolean
}

/** Reads an Application with its hydration status. */
export function applicationState(application: JsonObject): ApplicationState {
  const spec = (...path: string[]) => textAt(application, 'spec', 'sourceHydrator', ...path)
  const status = (...path: string[]) => textAt(application, 'status', 'sourceHydrator', ...path)
  const operation = (field: string) => status('currentOperation', field)
  const sources = drySourcesIn(application).map(shownSource)
  return {
    project: textAt(application, 'spec', 'project'),
    applicationSet: ownerOf(application),
    destination: destinationOf(application),
    sources,
    targetRevision: sources[0]?.targetRevision ?? '',
    dryRepoUrl: sources[0]?.isChart === false ? sources[0].repoUrl : '',
    hydratedRepoUrl: spec('syncSource', 'repoURL') || (sources[0]?.repoUrl ?? ''),
    syncRepoUrl: spec('syncSource', 'repoURL'),
    syncBranch: spec('syncSource', 'targetBranch'),
    syncPath: spec('syncSource', 'path'),
    hydrateTo: spec('hydrateTo', 'targetBranch'),
    phase: operation('phase'),
    message: operation('message'),
    startedAt: operation('startedAt'),
    finishedAt: operation('finishedAt'),
    operationDrySha: operation('drySHA'),
    drySha: status('lastSuccessfulOperation', 'drySHA'),
    hydratedSha: status('lastSuccessfulOperation', 'hydratedSHA'),
    warnings: listAt(application, 'status', 'sourceHydrator', 'warnings').filter(
      (text) => typeof text === 'string',
    ),
    findings: listAt(application, 'status', 'sourceHydrator', 'findings')
      .filter((finding) => textAt(finding, 'waiver', 'owner') === '')
      .map(findingText),
    proof: shownProof(application),
    foreignChange: status('foreignChange', 'message'),
    pullRequestUrl: status('pullRequest', 'url'),
    pullRequest: status('pullRequest', 'message'),
    conditions: listAt(application, 'status', 'conditions').map((condition) => ({
      type: textAt(condition, 'type'),
      message: textAt(condition, 'message'),
    })),
    isHydrated: sources.some(({ repoUrl }) => repoUrl !== ''),
  }
}

function shownProof(application: JsonObject): ShownProof | undefined {
  const proof = objectAt(application, 'status', 'sourceHydrator', 'proof')
  const verifiedAt = textAt(proof, 'verifiedAt')
  if (verifiedAt === '') return undefined
  return {
    key: textAt(proof, 'key'),
    owner: textAt(proof, 'owner'),
    isAttested: valueAt(proof, 'attested') === true,
    gates: textAt(proof, 'gatesMessage'),
    verifiedAt,
  }
}

function findingText(finding: unknown): string {
  const line = valueAt(finding, 'line')
  const file = textAt(finding, 'file')
  const place = typeof line === 'number' && line > 0 ? `${file}:${line}` : file
  const subject = ['severity', 'rule', 'object', 'field'].map((name) => textAt(finding, name))
  const text = [...subject, place && `(${place})`].filter((part) => part !== '').join(' ')
  return `${text}: ${textAt(finding, 'message')}`
}

function shownSource(source: JsonObject): ShownSource {
  return {
    repoUrl: textAt(source, 'repoURL'),
    targetRevision: textAt(source, 'targetRevision'),
    path: textAt(source, 'chart') || textAt(source, 'path') || (hasManifests(source) ? '.' : ''),
    ref: textAt(source, 'ref'),
    isChart: textAt(source, 'chart') !== '',
  }
}

function ownerOf(application: JsonObject): string {
  const owners = listAt(application, 'metadata', 'ownerReferences')
  return textAt(
    owners.find((owner) => textAt(owner, 'kind') === 'ApplicationSet'),
    'name',
  )
}

function destinationOf(application: JsonObject): string {
  const at = (field: string) => textAt(application, 'spec', 'destination', field)
  const [namespace, cluster] = [at('namespace'), at('name') || at('server')]
  return namespace === '' || cluster === ''
    ? namespace + cluster
    : t('{namespace} on {cluster}', { namespace, cluster })
}
