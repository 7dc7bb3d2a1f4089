import { create } from '@bufbuild/protobuf'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import {
  type ApplicationChanges,
  ApplicationChangesSchema,
  type ApplicationDestination,
  ApplicationDestinationSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { type FilePlace, FilePlaceSchema } from '@wadi/protocol/gen/wadi/places/v1/places_pb.ts'
import {
  compareFiles,
  compareManifests,
  type CompareOptions,
  type FileBeside,
} from '../objects/compare-manifests.ts'

/** The contents of a hydrated directory, existing or planned. */
export interface ComparedSide {
  readonly manifests: readonly Manifest[]
  readonly files: readonly FileBeside[]
}

/** The changes of one hydrated directory. */
export interface DirectoryChanges {
  readonly outcome: 'unchanged' | 'changed' | 'added' | 'removed' | 'failed'
  readonly errors?: readonly string[]
  /** The place of each error in a file; none is known by default. */
  readonly places?: readonly (FilePlace | undefined)[]
  readonly failedBefore?: boolean
  readonly warnings?: readonly string[]
  readonly objects?: ApplicationChanges['objects']
  readonly ignored?: number
  /** The previous place of the directory, if it moves. */
  readonly movedFrom?: ApplicationChanges['movedFrom']
  /** The name and place of its Application before. */
  readonly previous?: PreviousApplication
}

/** The name and place of an Application before it changed; without what stays. */
export type PreviousApplication = Partial<
  Pick<ApplicationChanges, 'renamedFrom' | 'previousProject' | 'previousDestination'>
>

/** The destination of a hydrated Application, and its shown fields. */
export interface ComparedApplication {
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly project: string
  readonly destination: { readonly server?: string; readonly name?: string; readonly namespace?: string }
}

/** The destination of an Application as it is shown. */
export function destinationOf({ destination }: ComparedApplication): ApplicationDestination {
  const cluster = destination.server ?? destination.name ?? ''
  return create(ApplicationDestinationSchema, { cluster, namespace: destination.namespace ?? '' })
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
  const { warnings = [], objects = [], ignored = 0, movedFrom, previous } = changes
  const { metadata, project } = application
  const { cluster, namespace: destinationNamespace } = destinationOf(application)
  return create(ApplicationChangesSchema, {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    project,
    repoUrl,
    branch,
    path,
    destination: cluster,
    destinationNamespace,
    outcome,
    errors: [...errors],
    errorPlaces: errors.map((_, index) => places[index] ?? create(FilePlaceSchema)),
    failedBefore,
    warnings: [...warnings],
    // A message belongs to one Application: what is found out later of one is not said of the others.
    objects: objects.map((object) => ({ ...object })),
    ignored,
    ...(movedFrom && { movedFrom }),
    ...previous,
  })
}
