import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { objectAt } from '@wadi/fields/json-fields.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import { withFile } from '@wadi/file-trees/with-file.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { editYaml } from '@wadi/rendering/parameters/yaml-edit/edit-yaml.ts'
import { ownOverrideFile } from '@wadi/rendering/source/option-files.ts'
import { type Application, instanceName } from '@wadi/resources/application/application.ts'
import type { DrySource } from '@wadi/resources/application/dry-sources.ts'
import type { DrySide } from '../diff/local/dry-side.ts'
import { isOfRepository } from '../diff/local/local-applications.ts'
import { openSources } from '../diff/local/source-files.ts'
import type { FileChange } from './file-change.ts'
import type { OverrideReaders } from './override-readers.ts'
import type { RenderParts } from './render-application.ts'

/** The options of one renderer that move into a file of a source's directory. */
export interface MovedOptions {
  /** The key of the block, such as `helm`. */
  readonly block: string
  readonly value: Manifest
  /** The block as it is written, with its comments, for a file that is new; absent to write the value. */
  readonly text?: string
}

/** An Application, and the object that it is or that makes it. */
interface OwnedApplication {
  readonly owner: Manifest
  readonly application: Application
}

/** The largest `.argocd-source` file, in bytes. */
const maxBytes = 1024 * 1024

/**
 * Returns the change of the `.argocd-source-NAME.yaml` of an Application by which options of its source are in git.
 * @param source with the options, as Argo CD renders it
 * @param rest the source without them
 * @throws InvalidInputError with the reason why the options cannot be there or would not give the same
 */
export async function withOptionsInGit(
  { owner, application }: OwnedApplication,
  [source, rest]: readonly [DrySource, DrySource],
  options: readonly MovedOptions[],
  parts: RenderParts & { readonly readers: OverrideReaders },
): Promise<FileChange> {
  const { side } = parts
  const name = ownOverrideFile(instanceName(application.metadata))
  if (name === undefined) throw new InvalidInputError('its name cannot be that of a file')
  if (!isOfRepository(side.repoUrl, source) || !side.isCompared(source.targetRevision)) {
    throw new InvalidInputError('its source is not in the files of this checkout')
  }
  const wanted = await optionsOf(application, source, parts)
  const path = childPath(wanted.path, name)
  const other = parts.readers.get(path)?.find((reader) => reader.owner !== owner)
  if (other) throw new InvalidInputError(`${other.title} reads ${path}, too`)
  const entry = await side.tree.entry(path)
  const before = entry === undefined ? '' : fileText(await side.tree.read(path, maxBytes), path)
  const after =
    before === '' ? newText(options) : options.reduce((text, one) => addedTo(text, path, one), before)
  const given = await optionsOf(application, rest, {
    ...parts,
    side: withFiles(side, [{ path, before, after }]),
  })
  if (isDeepStrictEqual(given.options, wanted.options)) return { path, before, after }
  throw new InvalidInputError(`with ${path} they would be others than now`)
}

/** Returns the side with the texts of files after their changes. */
export function withFiles(side: DrySide, files: readonly FileChange[]): DrySide {
  const tree = files.reduce((below, { path, after }) => withFile(below, path, after), side.tree)
  return {
    ...side,
    tree,
    treeAt: (revision) =>
      side.isCompared(revision) ? Promise.resolve({ sha: side.sha, tree }) : side.treeAt(revision),
  }
}

async function optionsOf(application: Application, source: DrySource, parts: RenderParts) {
  const [local] = await openSources(application, [source], [0], parts)
  if (!local) throw new Error('a source was opened and is not there')
  const { options, path } = await parts.renderer.inspection(local)
  return { options, path }
}

function newText(options: readonly MovedOptions[]): string {
  return options.reduce(
    (before, { block, value, text }) =>
      text === undefined ? editYaml(before, { path: [block], value }) : before + text,
    '',
  )
}

/**
 * Adds what a file does not say yet.
 * @throws InvalidInputError for what it says otherwise than the Application, whose value would be lost
 */
function addedTo(before: string, file: string, { block, value }: MovedOptions): string {
  const said = objectAt(readYaml(before, file).documents[0]?.value, block)
  const isSaid = (name: string): boolean => Object.hasOwn(said, name)
  const lost = Object.keys(value).find((name) => isSaid(name) && !isDeepStrictEqual(said[name], value[name]))
  if (lost !== undefined) {
    throw new InvalidInputError(`${file} has another ${block}.${lost}, which takes precedence already`)
  }
  return Object.entries(value)
    .filter(([name]) => !isSaid(name))
    .reduce((text, [name, one]) => editYaml(text, { path: [block, name], value: one }), before)
}
