import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import { instanceName } from '@wadi/resources/application/application.ts'
import { type Layout, recordedLayout } from '@wadi/resources/application/layout.ts'
import { recordedManifestFiles } from './manifest-files.ts'
import { recordedFiles } from './files-directory.ts'
import { isInstallationId } from './installation-id.ts'

/** The dry commit that a branch holds of one dry source. */
export interface HeldDryCommit {
  repoUrl: string
  targetRevision: string
  /** The chart in a repository of charts; absent for a git repository. */
  chart?: string
  drySha: string
}

/** A tool that rendered. */
interface RecordedTool {
  readonly name: string
  readonly version: string
  /** Of its program; empty when it is not known. */
  readonly sha256: string
}

/** The dry side as a note or `hydrator.metadata` records it. */
export interface DryRecord {
  /** The dry commit, the newest one of a branch; empty unless it is a full commit id. */
  readonly drySha: string
  /** One for each dry source on a branch that several feed; none otherwise. */
  readonly dryCommits: HeldDryCommit[]
}

/** The content of a `hydrator.metadata`, of a branch's root or of a directory, or of a note. Absent fields are empty. */
export interface HydratorMetadata extends DryRecord {
  /** In a note: id of the installation that wrote it. */
  readonly installation: string
  readonly repoURL: string
  /** The chart and its version, in a repository of charts; empty for a git repository. */
  readonly chart: string
  readonly version: string
  /** The Applications as JSON; undefined in one that names none, as Argo CD's. */
  readonly applications: string | undefined
  /** The name of the first Application, as `instanceName` makes it. */
  readonly applicationName: string
  /** The rendered source; undefined in a file that another hydrator wrote. */
  readonly drySource: JsonObject | undefined
  /** True if it was rendered from several sources. */
  readonly hasSources: boolean
  readonly destinationNamespace: string
  readonly manifestGeneratePaths: string
  /** The tools that rendered; where parts of a directory asked for another version of one, it comes after the directory's own. */
  readonly tools: readonly RecordedTool[]
  /** The variables of the Application and its cluster that plugins received. */
  readonly pluginVariables: ReadonlyMap<string, string>
  /** The files written into the directory `files`: valid paths in it. */
  readonly files: readonly string[]
  /** The division of the objects among files. */
  readonly layout: Layout
  /** The files with the objects, in their order: `manifest.yaml` in the layout of Argo CD. */
  readonly manifests: readonly string[]
}

const maxDryCommits = 1_000

/**
 * Reads the text of a `hydrator.metadata` or of a note. Anybody with push rights may have written it, so what cannot be
 * read is empty and never an error.
 */
export function readHydratorMetadata(text: string): HydratorMetadata {
  const metadata = objectIn(text)
  const { applications, drySource } = metadata
  return {
    drySha: dryShaOf(metadata),
    dryCommits: listOf(metadata['dryCommits']).slice(0, maxDryCommits).flatMap(heldDryCommit),
    installation: installationId(metadata['installation']),
    repoURL: stringOf(metadata['repoURL']),
    chart: stringOf(metadata['chart']),
    version: stringOf(metadata['version']),
    applications: applications === undefined ? undefined : JSON.stringify(applications),
    applicationName: recordedInstance(objectOf(listOf(applications)[0])),
    drySource: drySource === undefined || !isJsonObject(drySource) ? undefined : drySource,
    hasSources: listOf(metadata['sources']).length > 0,
    destinationNamespace: stringOf(metadata['destinationNamespace']),
    manifestGeneratePaths: stringOf(metadata['manifestGeneratePaths']),
    tools: listOf(metadata['tools']).flatMap(recordedTool),
    pluginVariables: new Map(
      Object.entries(objectOf(metadata['pluginVariables'])).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    ),
    files: recordedFiles(metadata['files']),
    layout: recordedLayout(stringOf(metadata['layout']), stringOf(metadata['crds'])),
    manifests: recordedManifestFiles(metadata['manifests']),
  }
}

/** By either spelling of its key, as Go reads it: of several that name a commit the last. */
function dryShaOf(metadata: JsonObject): string {
  const entries = Object.entries(metadata).filter(([key]) => key.toLowerCase() === 'drysha')
  return entries.map(([, value]) => commitId(value)).findLast(Boolean) ?? ''
}

function objectIn(text: string): JsonObject {
  try {
    // Editors of Windows begin files with a mark of their byte order.
    const value: JsonValue = JSON.parse(text.replace(/^\uFEFF/, ''))
    return objectOf(value)
  } catch {
    return {}
  }
}

function heldDryCommit(entry: JsonValue): HeldDryCommit[] {
  const { repoURL, targetRevision, drySha, chart } = objectOf(entry)
  const sha = commitId(drySha)
  if (typeof repoURL !== 'string' || typeof targetRevision !== 'string' || sha === '') return []
  return [{ repoUrl: repoURL, targetRevision, ...(typeof chart === 'string' && { chart }), drySha: sha }]
}

function recordedInstance({ name, metadata }: JsonObject): string {
  const namespace = stringOf(objectOf(metadata)['namespace'])
  return instanceName({ name: stringOf(name), namespace })
}

function recordedTool(tool: JsonValue): RecordedTool[] {
  const { name, version, sha256 } = objectOf(tool)
  if (typeof name !== 'string' || typeof version !== 'string') return []
  return [{ name, version, sha256: stringOf(sha256) }]
}

function installationId(value: JsonValue | undefined): string {
  return typeof value === 'string' && isInstallationId(value) ? value : ''
}

function commitId(value: JsonValue | undefined): string {
  return typeof value === 'string' && isCommitSha(value) ? value : ''
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

function stringOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
