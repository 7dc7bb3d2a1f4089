import { stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { defaultManifestLimits, parseManifests } from '@wadi/manifests/parse-manifests.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { Plugins } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { originFiles } from '@wadi/rendering/run/origin-files.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { ValueFlags } from '../parameters/value-flags.ts'
import { existingDirectory } from '../render/existing-directory.ts'
import { nearestRepository } from '../render/nearest-repository.ts'
import { openDirectorySource } from '../render/render-directory.ts'
import { inspectTree } from '../render/render-tree.ts'
import { openWorkingTree } from '../render/working-tree.ts'
import { reportVersions } from '../tools/report-versions.ts'

/** The objects of a directory or a file, and the files that they come from. */
export interface CheckedSource {
  /** The path of the directory or file in the repository. */
  readonly path: string
  readonly manifests: readonly Manifest[]
  readonly tree: FileTree
  /** Files and directories of the tree that decide the objects. */
  readonly inputs: readonly string[]
  /** Finds the file that each object was made from; undefined where it is not known. */
  readonly findFiles: () => Promise<readonly (string | undefined)[]>
}

/** The settings by which sources are opened. */
export interface CheckOptions {
  /** Default: the nearest parent with `.git`. */
  readonly repositoryRoot: string | undefined
  readonly applicationName: string
  readonly destinationNamespace: string
  readonly values: ValueFlags
  /** The hydrated branch whose versions of tools render; default: all hydrated ones. */
  readonly branch: string | undefined
  readonly plugins: Plugins
  readonly warn: (message: string) => void
  readonly inform: (message: string) => void
  readonly signal: AbortSignal
}

/**
 * Renders a directory, or reads the manifests of a file.
 * @throws CommandFailure when there is nothing at the place, InvalidInputError and other domain errors of renderers and readers
 */
export async function openCheckedSource(place: string, options: CheckOptions): Promise<CheckedSource> {
  const description = await stat(place, { throwIfNoEntry: false })
  if (description === undefined) throw new CommandFailure(`${place} does not exist`)
  return description.isDirectory() ? renderedSource(place, options) : fileSource(place, options)
}

async function renderedSource(directory: string, options: CheckOptions): Promise<CheckedSource> {
  const { plugins, branch, signal, warn } = options
  const opened = await openDirectorySource({ ...options, directory, sourceOptions: {} })
  const { tree, source, revision } = opened
  const kept = await opened.keptVersions(branch, signal)
  const inspected = await inspectTree(tree, source, revision, plugins, signal, kept)
  reportVersions(inspected.versions, options)
  const { manifests, origins, warnings } = await inspected.render()
  for (const warning of warnings) warn(warning)
  const objects = manifests.map((text) => manifestFromJson(text))
  const { inputs, plan } = inspected.inspection
  const findFiles = async () => originFiles(tree, plan, { manifests, origins })
  return { path: source.path, manifests: objects, tree, inputs, findFiles }
}

async function fileSource(file: string, options: CheckOptions): Promise<CheckedSource> {
  const directory = await existingDirectory(dirname(file))
  const root =
    options.repositoryRoot === undefined
      ? nearestRepository(directory)
      : await existingDirectory(options.repositoryRoot)
  const path = relative(root, join(directory, basename(file)))
    .split(sep)
    .join('/')
  if (path.startsWith('../')) throw new CommandFailure(`${file} is not inside the repository root ${root}`)
  const tree = await openWorkingTree(root, options.warn)
  const text = fileText(await tree.read(path, defaultManifestLimits.maxBytes), path)
  const manifests = parseManifests(text, { file: path })
  return { path, manifests, tree, inputs: [path], findFiles: async () => manifests.map(() => path) }
}
