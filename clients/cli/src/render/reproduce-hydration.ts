import { CommandFailure } from '../command-line/command-failure.ts'
import type { GitRepository } from './git-repository.ts'
import { isJsonObject, listAt, textAt } from '../objects/json-path.ts'
import { sourceOptions } from './render-folder.ts'
import { inspectTree } from './render-tree.ts'
import type { JsonObject } from '@bufbuild/protobuf'
import { recordedFiles } from '@wadi/hydration/files-folder.ts'
import type { Plugins } from '@wadi/rendering/plugin/plugins.ts'
import type { RenderedFile } from '@wadi/rendering/render-run.ts'
import type { SourceOptions } from '@wadi/rendering/source.ts'

/** What a hydrated directory holds. */
export interface HydratedDirectory {
  /** The text of manifest.yaml. */
  manifest: string
  /** The text of hydrator.metadata. */
  metadata: string
  /** Those of the folder `files` that hydrator.metadata names and that are there. */
  files: ReadonlyArray<Pick<RenderedFile, 'path' | 'content'>>
}

/** The source that was hydrated, beside what the directory itself tells. */
export interface ReproductionSource {
  /** Folder in the dry repository. */
  path: string
  options: SourceOptions
  destinationNamespace: string
  /** Empty: the first Application that the metadata names. */
  applicationName: string
  targetRevision: string
  /** What plugins are shown; empty: the whole repository. */
  manifestGeneratePaths: string
}

/** What `hydrator.metadata` says of where manifests come from. */
export interface HydrationRecord {
  drySha: string
  repoURL: string
  applicationName: string
  /** What was rendered; absent in a record that another hydrator wrote. */
  source?: Pick<
    ReproductionSource,
    'path' | 'options' | 'destinationNamespace' | 'targetRevision' | 'manifestGeneratePaths'
  >
  tools: { name: string; version: string }[]
  /** The variables of the Application and its cluster that plugins received. */
  pluginVariables: Record<string, string>
  /** What was written into the folder `files`; what cannot be there is left out. */
  files: string[]
}

/** What a second render says about a hydrated directory. */
export interface Reproduction {
  /** Whether the bytes are equal, those of the files included. */
  equal: boolean
  /** Files that one side lacks or that differ, by their paths in the folder `files`, sorted. */
  differingFiles: string[]
  drySha: string
  /** What was rendered now. */
  manifest: string
  /** Renderers whose version here is another than the recorded one. */
  toolDifferences: { name: string; recorded: string; local: string }[]
}

/**
 * Renders the dry commit of a hydrated directory again and compares the bytes.
 * @throws CommandFailure when the record names no dry commit or the repository does not have it, and what renderers throw
 */
export async function reproduceHydration(
  hydrated: HydratedDirectory,
  source: ReproductionSource,
  dryRepository: GitRepository,
  plugins: Plugins,
  signal: AbortSignal,
): Promise<Reproduction> {
  const record = parseRecord(hydrated.metadata)
  const tree = await dryRepository.openCommit(record.drySha)
  const applicationName = source.applicationName || record.applicationName
  const { pluginVariables } = record
  const inspected = await inspectTree(
    tree,
    {
      ...source,
      ...record.source,
      applicationName,
      instance: { name: applicationName, project: '', recorded: pluginVariables },
      repoURL: record.repoURL,
    },
    tree.sha,
    plugins,
    signal,
  )
  const rendered = await inspected.render()
  const differingFiles = filesThatDiffer(hydrated.files, rendered.files)
  return {
    equal: rendered.manifest === hydrated.manifest && differingFiles.length === 0,
    differingFiles,
    drySha: tree.sha,
    manifest: rendered.manifest,
    toolDifferences: rendered.tools.flatMap(({ name, version }) => {
      const recorded = record.tools.find((tool) => tool.name === name)?.version
      return recorded === undefined || recorded === version ? [] : [{ name, recorded, local: version }]
    }),
  }
}

function filesThatDiffer(before: HydratedDirectory['files'], after: HydratedDirectory['files']): string[] {
  const contents = (files: HydratedDirectory['files']) =>
    new Map(files.map(({ path, content }) => [path, content]))
  const [old, now] = [contents(before), contents(after)]
  const paths = new Set([...old.keys(), ...now.keys()])
  return [...paths].filter((path) => old.get(path) !== now.get(path)).toSorted()
}

/**
 * Reads a directory's `hydrator.metadata`.
 * @throws CommandFailure when it is no JSON object or names no dry commit
 */
export function parseRecord(metadata: string): HydrationRecord {
  let record: unknown
  try {
    record = JSON.parse(metadata)
  } catch (error) {
    throw new CommandFailure('hydrator.metadata is not JSON, so it names no dry commit', undefined, {
      cause: error,
    })
  }
  const drySha = isJsonObject(record) ? textAt(record, 'drySha') || textAt(record, 'drySHA') : ''
  if (!isJsonObject(record) || !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(drySha)) {
    throw new CommandFailure('hydrator.metadata names no dry commit by its full id (drySha)')
  }
  const [application] = listAt(record, 'applications')
  return {
    drySha,
    repoURL: textAt(record, 'repoURL'),
    applicationName: textAt(application, 'name'),
    ...(isJsonObject(record['drySource']) && { source: recordedSource(record, record['drySource']) }),
    tools: listAt(record, 'tools').map((tool) => ({
      name: textAt(tool, 'name'),
      version: textAt(tool, 'version'),
    })),
    pluginVariables: recordedVariables(record['pluginVariables']),
    files: recordedFiles(record['files']),
  }
}

function recordedVariables(recorded: unknown): Record<string, string> {
  const entries = isJsonObject(recorded) ? Object.entries(recorded) : []
  return Object.fromEntries(
    entries.flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}

function recordedSource(record: JsonObject, drySource: JsonObject): NonNullable<HydrationRecord['source']> {
  return {
    path: textAt(drySource, 'path'),
    options: sourceOptions(drySource, 'hydrator.metadata'),
    destinationNamespace: textAt(record, 'destinationNamespace'),
    targetRevision: textAt(drySource, 'targetRevision'),
    manifestGeneratePaths: textAt(record, 'manifestGeneratePaths'),
  }
}
