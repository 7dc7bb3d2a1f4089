import { create } from '@bufbuild/protobuf'
import {
  compareFiles,
  compareManifests,
  type CompareOptions,
} from '@wadi/changes/objects/compare-manifests.ts'
import {
  type ApplicationChanges,
  ApplicationChangesSchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { type FilePlace, FilePlaceSchema } from '@wadi/protocol/gen/wadi/places/v1/places_pb.ts'
import type { Member } from '../applications/application-index.ts'
import type { ObservedRun } from '../run/branch-run.ts'
import type { Side } from './directory-sides.ts'

/** What becomes of one hydrated directory. */
export interface DirectoryChanges {
  readonly outcome: 'unchanged' | 'changed' | 'added' | 'failed'
  readonly errors?: readonly string[]
  /** Where each of the errors is in a file; none is known by default. */
  readonly places?: readonly (FilePlace | undefined)[]
  readonly failedBefore?: boolean
  readonly warnings?: readonly string[]
  readonly objects?: ApplicationChanges['objects']
  readonly ignored?: number
}

/** Compares what a directory holds with what it would hold; undefined when it holds nothing. */
export function compareSides(
  before: Side | undefined,
  after: Side,
  options: CompareOptions,
): DirectoryChanges {
  const { objects, ignored } = compareManifests(before?.manifests ?? [], after.manifests, options)
  const files = compareFiles(before?.files ?? [], after.files, options.budget)
  const all = [...objects, ...files]
  const outcome = before === undefined ? 'added' : all.length > 0 ? 'changed' : 'unchanged'
  return { outcome, objects: all, ignored }
}

/** The message of one Application of a directory. */
export function applicationChanges(
  { repoUrl, branch }: Pick<ObservedRun, 'repoUrl' | 'branch'>,
  { application, path }: Pick<Member, 'application' | 'path'>,
  changes: DirectoryChanges,
): ApplicationChanges {
  const { outcome, errors = [], places = [], failedBefore = false } = changes
  const { warnings = [], objects = [], ignored = 0 } = changes
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
  })
}
