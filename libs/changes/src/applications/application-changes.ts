import { create } from '@bufbuild/protobuf'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import {
  type ApplicationChanges,
  ApplicationChangesSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { type FilePlace, FilePlaceSchema } from '@wadi/protocol/gen/wadi/places/v1/places_pb.ts'
import {
  compareFiles,
  compareManifests,
  type CompareOptions,
  type FileBeside,
} from '../objects/compare-manifests.ts'

/** What a hydrated directory holds, or would hold. */
export interface ComparedSide {
  readonly manifests: readonly Manifest[]
  readonly files: readonly FileBeside[]
}

/** What becomes of one hydrated directory. */
export interface DirectoryChanges {
  readonly outcome: 'unchanged' | 'changed' | 'added' | 'removed' | 'failed'
  readonly errors?: readonly string[]
  /** Where each of the errors is in a file; none is known by default. */
  readonly places?: readonly (FilePlace | undefined)[]
  readonly failedBefore?: boolean
  readonly warnings?: readonly string[]
  readonly objects?: ApplicationChanges['objects']
  readonly ignored?: number
  /** Where the directory was, if it moves. */
  readonly movedFrom?: ApplicationChanges['movedFrom']
}

/** Where an Application is hydrated to, and what is shown of it. */
interface ComparedApplication {
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly project: string
  readonly destination: { readonly server?: string; readonly name?: string }
}

/** Compares what a directory holds with what it would hold; undefined for a directory that is not there. */
export function compareSides(
  before: ComparedSide | undefined,
  after: ComparedSide | undefined,
  options: CompareOptions,
): DirectoryChanges {
  const { objects, ignored } = compareManifests(before?.manifests ?? [], after?.manifests ?? [], options)
  const files = compareFiles(before?.files ?? [], after?.files ?? [], options.budget)
  const all = [...objects, ...files]
  return { outcome: outcomeOf(before, after, all.length > 0), objects: all, ignored }
}

function outcomeOf(
  before: ComparedSide | undefined,
  after: ComparedSide | undefined,
  differs: boolean,
): DirectoryChanges['outcome'] {
  if (after === undefined) return 'removed'
  if (before === undefined) return 'added'
  return differs ? 'changed' : 'unchanged'
}

/** The message of one Application of a directory. */
export function applicationChanges(
  { repoUrl, branch }: { readonly repoUrl: string; readonly branch: string },
  { application, path }: { readonly application: ComparedApplication; readonly path: string },
  changes: DirectoryChanges,
): ApplicationChanges {
  const { outcome, errors = [], places = [], failedBefore = false } = changes
  const { warnings = [], objects = [], ignored = 0, movedFrom } = changes
  const { metadata, project, destination } = application
  return create(ApplicationChangesSchema, {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    project,
    repoUrl,
    branch,
    path,
    destination: destination.server ?? destination.name ?? '',
    outcome,
    errors: [...errors],
    errorPlaces: errors.map((_, index) => places[index] ?? create(FilePlaceSchema)),
    failedBefore,
    warnings: [...warnings],
    // A message belongs to one Application: what is found out later of one is not said of the others.
    objects: objects.map((object) => ({ ...object })),
    ignored,
    ...(movedFrom && { movedFrom }),
  })
}
