import { CommandFailure } from '../command-line/command-failure.ts'
import type { GitRepository } from './git-repository.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { sourceOptions } from './render-directory.ts'
import { inspectTree, type LocalRender } from './render-tree.ts'
import { addAdvice } from '@wadi/renderer-tools/tool-pins.ts'
import { keptVersions } from '../tools/kept-versions.ts'
import { laidOutText } from './laid-out-text.ts'
import { versionsOf } from '@wadi/hydration/tool-versions.ts'
import { hydratedFiles } from '@wadi/hydration/hydrated-files.ts'
import { type HydratorMetadata, readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import type { Plugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import type { RenderedFile } from '@wadi/rendering/run/render-run.ts'
import type { SourceOptions } from '@wadi/rendering/source/source.ts'

/** A hydrated directory and its record. */
export interface HydratedDirectory {
  /** The objects of all its files. */
  manifest: string
  /** The text of hydrator.metadata. */
  metadata: string
  /** Those of the directory `files` that hydrator.metadata names and that are there. */
  files: ReadonlyArray<Pick<RenderedFile, 'path' | 'content'>>
}

/** The source that was hydrated, beside what the directory itself records. */
export interface ReproductionSource {
  /** Directory in the dry repository. */
  path: string
  options: SourceOptions
  destinationNamespace: string
  /** Empty: the first Application that the metadata names. */
  applicationName: string
  targetRevision: string
  /** The paths that plugins are shown; empty: the whole repository. */
  manifestGeneratePaths: string
}

/** The result of rendering a hydrated directory a second time. */
export interface Reproduction {
  /** True if the bytes are equal, those of the files included. */
  equal: boolean
  /** Files that one side lacks or that differ, by their paths in the directory `files`, sorted. */
  differingFiles: string[]
  drySha: string
  /** The manifests of the second render, in the layout of the directory. */
  manifest: string
  /** The names of the files with the objects. */
  manifestFiles: readonly string[]
  /** Renderers whose version here is another than the recorded one. */
  toolDifferences: { name: string; recorded: string; local: string; advice: string }[]
  /** The versions that rendered, where they are not the default here. */
  versionLines: readonly string[]
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
  const pluginVariables = Object.fromEntries(record.pluginVariables)
  const inspected = await inspectTree(
    tree,
    {
      ...source,
      ...recordedSource(record),
      applicationName,
      instance: { name: applicationName, project: '', recorded: pluginVariables },
      repoUrl: record.repoURL,
    },
    tree.sha,
    plugins,
    signal,
    {
      ...keptVersions(versionsOf(record.tools), `recorded in ${hydratedFiles.metadata}`),
      digests: Object.fromEntries(record.tools.toReversed().map(({ name, sha256 }) => [name, sha256])),
    },
  )
  const rendered = await inspected.render()
  const manifest = laidOutText(rendered, record.layout)
  const differingFiles = filesThatDiffer(hydrated.files, rendered.files)
  return {
    equal: manifest === hydrated.manifest && differingFiles.length === 0,
    differingFiles,
    drySha: tree.sha,
    manifest,
    manifestFiles: record.manifests,
    versionLines: rendered.versions.lines,
    toolDifferences: rendered.tools.flatMap((tool) => toolDifference(tool, record.tools)),
  }
}

/** Two programs of one version may be different builds. */
function toolDifference(
  { name, version, sha256 }: LocalRender['tools'][number],
  recorded: HydratorMetadata['tools'],
): Reproduction['toolDifferences'] {
  const known = recorded.filter((tool) => tool.name === name)
  if (known.length === 0) return []
  const same = known.filter((tool) => tool.version === version)
  const versions = known.map((tool) => tool.version).join(' and ')
  if (same.length === 0) {
    const [{ version: missing } = { version: '' }] = known
    return [{ name, recorded: versions, local: version, advice: `; ${addAdvice(name, missing)}` }]
  }
  const digest = same.find((tool) => tool.sha256 !== '')?.sha256 ?? sha256
  if (digest === sha256 || sha256 === '') return []
  const build = (of: string): string => `${version} with the SHA-256 ${of.slice(0, 12)}`
  return [{ name, recorded: build(digest), local: build(sha256), advice: '' }]
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
 * @throws CommandFailure when it names no dry commit, as one that is not JSON, a chart, or several sources
 */
export function parseRecord(text: string): HydratorMetadata {
  const metadata = readHydratorMetadata(text)
  if (metadata.chart !== '') {
    throw new CommandFailure(
      `chart ${metadata.chart} ${metadata.version} of ${metadata.repoURL} is not in git; its README.md says how to reproduce it`,
    )
  }
  if (metadata.hasSources) {
    throw new CommandFailure(
      'the directory is made from several dry sources; its README.md says how to reproduce it',
    )
  }
  if (metadata.drySha !== '') return metadata
  throw new CommandFailure(`${hydratedFiles.metadata} names no dry commit by its full id (drySha)`)
}

/** The source that a `hydrator.metadata` names; undefined in one that another hydrator wrote. */
function recordedSource({
  drySource,
  destinationNamespace,
  manifestGeneratePaths,
}: HydratorMetadata): Partial<ReproductionSource> | undefined {
  if (drySource === undefined) return undefined
  return {
    path: textAt(drySource, 'path'),
    options: sourceOptions(drySource, hydratedFiles.metadata),
    destinationNamespace,
    targetRevision: textAt(drySource, 'targetRevision'),
    manifestGeneratePaths,
  }
}
