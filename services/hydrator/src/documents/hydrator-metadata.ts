import { type JsonValue, toJson } from '@bufbuild/protobuf'
import { byKey } from '@wadi/order/by-name.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { manifestGeneratePathsAnnotation } from '@wadi/hydration/source-message.ts'
import type { ManifestFile } from '@wadi/hydration/manifest-files.ts'
import { defaultLayout, isDefaultLayout, type Layout } from '@wadi/resources/application/layout.ts'
import { FindingSchema } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { Commit } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { SourceHydrator } from '@wadi/resources/application/application.ts'
import { type DrySource, drySourcesOf } from '@wadi/resources/application/dry-sources.ts'
import type { Member } from '../applications/application-index.ts'
import type { CommitSource, HeldDryCommits, SourceCommit } from '../run/inspect/dry-commits.ts'
import type { ToolVersions } from '@wadi/hydration/tool-versions.ts'
import type { RenderedDirectory } from '../run/render/render.ts'
import { forPromoters } from './for-promoters.ts'
import { type RecordedParameter, recordedParameter } from './recorded-parameter.ts'

/** Facts about the dry commit behind a hydrated commit: the keys of the proposal and those of Argo CD. */
export interface CommitFacts {
  repoURL: string
  /** The chart and its version, in a repository of charts; absent for a git repository. */
  chart?: string
  version?: string
  drySha: string
  drySHA: string
  author?: string
  date?: string
  subject?: string
  body?: string
  references?: { commit: Record<string, string> }[]
  commitAuthor?: string
  commitMessage?: string
  commitTime?: string
  /** The dry commit of each source, on a branch that several feed; only in the root's file. */
  dryCommits?: { repoURL: string; targetRevision: string; chart?: string; drySha: string }[]
}

/** The facts of a hydrated branch. */
export interface BranchFacts extends CommitFacts {
  /** Absent when repo-server did not say which there are. */
  tools?: DirectoryFacts['tools']
}

/** Facts about one hydrated directory. */
export interface DirectoryFacts extends CommitFacts {
  commands: string[]
  /** The rendered source: with the dry commit it is all that a second render needs. Absent with several sources. */
  drySource?: Omit<DrySource, 'repoURL'>
  /** All sources in their order, each with its commit; absent with one. */
  sources?: readonly SourceFacts[]
  /** Absent when the Applications have none. */
  destinationNamespace?: string
  /** The paths that plugins were shown; absent for the whole repository. */
  manifestGeneratePaths?: string
  applications: { metadata: { name: string; namespace: string }; name: string }[]
  tools: { name: string; version: string; sha256?: string; image?: string }[]
  /** The variables of the Application and its cluster that the plugin received, by name; absent if none. */
  pluginVariables?: Readonly<Record<string, string>>
  /** The paths in the directory `files`, sorted; absent if it is empty. */
  files?: string[]
  /** The files that hold the objects; absent if `manifest.yaml` does. */
  layout?: Layout['files']
  /** The treatment of CustomResourceDefinitions; absent if they are objects like others. */
  crds?: Layout['crds']
  /** The files with the objects, in their order; absent in the default layout. */
  manifests?: string[]
  /** The values that decided the result; absent without any. */
  parameters?: readonly RecordedParameter[]
  /** The number of parameters beyond the limit of the record. */
  parametersLeftOut?: number
  /** The findings of gates; absent without any. */
  findings?: readonly JsonValue[]
  /** The number of findings beyond the limit of the record. */
  findingsLeftOut?: number
}

/** A source of a directory that has several: as the Application has it, and its commit. */
interface SourceFacts
  extends DrySource, Pick<CommitFacts, 'version' | 'drySha' | 'author' | 'date' | 'subject'> {
  /** Those of `commands` that are of this source; absent for one that is not rendered. */
  commands?: string[]
}

/** Most characters of a message that are repeated in each directory and in the hydrated commit. */
const maxSubjectLength = 4096
const maxBodyLength = 64 * 1024

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`
}

/** The facts of a dry commit; what the commit does not contain is absent, as in Argo CD. */
export function commitFacts(source: CommitSource, commit: Commit): CommitFacts {
  const { sha, author, date } = commit
  const subject = shortened(commit.subject, maxSubjectLength)
  const body = shortened(commit.body, maxBodyLength)
  const references = commit.references.map((reference) => ({
    commit: present({
      author: reference.author,
      date: reference.date,
      subject: shortened(reference.subject, maxSubjectLength),
      body: shortened(reference.body, maxBodyLength),
      sha: reference.sha,
      repoUrl: reference.repoUrl,
    }),
  }))
  return {
    ...source,
    drySha: sha,
    drySHA: sha,
    ...present({ author, date, subject, body }),
    ...(references.length > 0 && { references }),
    ...present({ commitAuthor: author, commitMessage: subject, commitTime: readableTime(date) }),
  }
}

/**
 * The facts of a branch: those of the newest dry commit that it holds, with those of other sources beside it, and the versions that render
 * what names none in git.
 */
export function branchFacts(
  { newest, newestSource, dryCommits }: HeldDryCommits,
  versions: ToolVersions,
): BranchFacts {
  const listed = dryCommits.map(({ repoUrl: repoURL, ...rest }) => ({ repoURL, ...rest }))
  const tools = Object.entries(versions).map(([name, version]) => ({ name, version }))
  return {
    ...commitFacts(newestSource, newest),
    ...(listed.length > 0 && { dryCommits: listed }),
    ...(tools.length > 0 && { tools }),
  }
}

/** A rendered directory and how its objects are divided among files. */
interface LaidOutDirectory extends Pick<RenderedDirectory, 'record' | 'files' | 'commandsOf'> {
  layout: Layout
  manifestFiles: readonly ManifestFile[]
  /** The commits of all sources. */
  commits: readonly SourceCommit[]
}

/** The facts of a directory: those of its dry commit, which Applications are hydrated there, from what and how. */
export function directoryFacts(
  commit: CommitFacts,
  members: readonly [Member, ...Member[]],
  { record, files, layout, manifestFiles, commits, commandsOf }: LaidOutDirectory,
): DirectoryFacts {
  const [{ application, spec }] = members
  const { namespace: destinationNamespace } = application.destination
  const parameters = record.parameters.map(recordedParameter)
  const { commands, parametersLeftOut, findings, findingsLeftOut } = record
  const paths = files.map(({ path }) => path).toSorted()
  const pluginVariables = Object.entries(record.pluginVariables).toSorted(byKey)
  const { [manifestGeneratePathsAnnotation]: manifestGeneratePaths } = application.annotations
  return {
    ...commit,
    commands,
    ...sourcesFacts(spec, commits, commandsOf),
    ...(destinationNamespace && { destinationNamespace }),
    ...(manifestGeneratePaths && { manifestGeneratePaths }),
    applications: members.map(({ application: { metadata } }) => {
      const { name, namespace = controlPlaneNamespace } = metadata
      return { metadata: { name, namespace }, name }
    }),
    tools: record.tools.map(({ name, version, ...rest }) => ({
      name,
      version,
      ...present({ sha256: rest.sha256, image: rest.image }),
    })),
    ...(pluginVariables.length > 0 && { pluginVariables: Object.fromEntries(pluginVariables) }),
    ...(paths.length > 0 && { files: paths }),
    ...(layout.files !== defaultLayout.files && { layout: layout.files }),
    ...(layout.crds !== defaultLayout.crds && { crds: layout.crds }),
    ...(!isDefaultLayout(layout) && { manifests: manifestFiles.map(({ name }) => name) }),
    ...(parameters.length > 0 && { parameters }),
    ...(parametersLeftOut > 0 && { parametersLeftOut }),
    ...(findings.length > 0 && { findings: findings.map((finding) => toJson(FindingSchema, finding)) }),
    ...(findingsLeftOut > 0 && { findingsLeftOut }),
  }
}

function sourcesFacts(
  spec: SourceHydrator,
  commits: readonly SourceCommit[],
  commandsOf: ReadonlyMap<number, readonly string[]>,
): Pick<DirectoryFacts, 'drySource' | 'sources'> {
  const listed = drySourcesOf(spec)
  if (listed.length === 1) {
    const { repoURL: _repoURL, ...drySource } = spec.drySource
    return { drySource }
  }
  const sources = commits.flatMap(({ position, source: { version }, commit }): SourceFacts[] => {
    const source = listed[position]
    if (!source) return []
    const { sha: drySha, author, date } = commit
    const subject = shortened(commit.subject, maxSubjectLength)
    const commands = commandsOf.get(position)
    return [
      {
        ...source,
        ...(version && { version }),
        drySha,
        ...present({ author, date, subject }),
        ...(commands && { commands: [...commands] }),
      },
    ]
  })
  return { sources }
}

/** The bytes of a `hydrator.metadata`, as promoters take it: indented by two, nothing escaped but what JSON and Go's encoder must. */
export function metadataText(facts: BranchFacts | DirectoryFacts): string {
  const text = JSON.stringify(forPromoters(facts), undefined, 2)
  return `${text.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`)}\n`
}

/** `2024-03-27 10:32:04 UTC` for an RFC 3339 time in UTC. */
function readableTime(date: string): string {
  return date.replace('T', ' ').replace(/(?:\.\d+)?Z$/u, ' UTC')
}

function present<T extends Record<string, string>>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Partial<T>
}
