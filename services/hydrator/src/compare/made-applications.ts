import { isDeepStrictEqual } from 'node:util'
import { type PlacedApplication, placedApplication } from '@wadi/changes/applications/placed-application.ts'
import { renamedApplications } from '@wadi/changes/applications/renamed-applications.ts'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import type { ObjectChange } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { readClusters } from '@wadi/resources/cluster-secret.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Member } from '../applications/application-index.ts'
import type { Directory, ObservedGroup, ValidatedRun } from '../run/branch-run.ts'
import type { RunContext } from '../run/run-context.ts'
import { renderedSide } from '@wadi/changes/applications/rendered-side.ts'
import { isApplication, isOfControlPlane } from './rejected-applications.ts'
import type { RenderedPair } from './rendered-pairs.ts'

/** A stored Application that is compared. */
export interface ComparedMember {
  readonly member: Member
  readonly run: ValidatedRun
  readonly group: ObservedGroup
  readonly directory: Directory
}

/** A stored Application whose object the revision changes or removes. */
export interface ChangedMember extends ComparedMember {
  readonly before: PlacedApplication
  /** Undefined for one that is removed. */
  readonly after: PlacedApplication | undefined
}

/**
 * The Applications among the objects of those directories that differ, before and after, such as those that an app of apps makes, and in the files
 * of the dry repository that differ. Of directories, only what is deployed to the control plane is one of its own.
 */
export class MadeApplications {
  readonly #before = new Map<string, PlacedApplication>()
  readonly #after = new Map<string, PlacedApplication>()
  /** Those that are in files of the dry repository. */
  readonly #written = {
    before: new Map<string, PlacedApplication>(),
    after: new Map<string, PlacedApplication>(),
  }
  readonly #compared = new Map<string, ComparedMember>()
  /** The members that make those of after. */
  readonly #makers = new Map<string, readonly Member[]>()

  /** Keeps which stored Applications are compared, and how. */
  addCompared(of: Pick<ComparedMember, 'run' | 'group'>, directories: readonly Directory[]): void {
    for (const directory of directories)
      for (const member of directory.members) this.#compared.set(member.name, { ...of, directory, member })
  }

  /** Keeps the Applications among the objects of a directory, when some of them differ. */
  async note(
    { store }: Pick<RunContext, 'store'>,
    { rendered, before }: RenderedPair,
    objects: readonly ObjectChange[],
  ): Promise<void> {
    if (!before || !objects.some(({ identity }) => isApplication(identity))) return
    const [{ application: parent }] = rendered.directory.members
    if (!isOfControlPlane(await readClusters(store), parent.destination)) return
    const namespace = parent.destination.namespace || controlPlaneNamespace
    for (const found of applicationsAmong(before.manifests, namespace)) this.#before.set(found.key, found)
    for (const found of applicationsAmong(
      renderedSide(rendered, rendered.directory.layout).manifests,
      namespace,
    )) {
      this.#after.set(found.key, found)
      this.#makers.set(found.key, rendered.directory.members)
    }
  }

  /** Keeps the Applications among the objects of a changed file of the dry repository. */
  addWritten(before: readonly Manifest[], after: readonly Manifest[]): void {
    for (const found of applicationsAmong(before, controlPlaneNamespace))
      this.#written.before.set(found.key, found)
    for (const found of applicationsAmong(after, controlPlaneNamespace))
      this.#written.after.set(found.key, found)
  }

  /** Takes those of files that are stored as they are written, and what becomes of them: others are templates, or of somebody else. */
  #takeWritten(): void {
    const { before, after } = this.#written
    const taken = [...before].filter(([name, written]) => {
      const stored = this.#compared.get(name)?.member
      return stored !== undefined && !this.#before.has(name) && isWritten(stored, written)
    })
    if (taken.length === 0) return
    for (const [name, written] of taken) this.#before.set(name, written)
    for (const [name, written] of after) if (!this.#after.has(name)) this.#after.set(name, written)
  }

  /**
   * Returns the compared Applications whose own objects differ, and the names of the new ones by what makes them. One that is gone and a new one
   * may be one that was renamed, as everywhere.
   * @param isStored returns true if an Application of this name exists now
   */
  changes(isStored: (name: string) => boolean): {
    changed: ChangedMember[]
    added: ReadonlyMap<string, readonly string[]>
  } {
    this.#takeWritten()
    const isNew = (name: string): boolean => !this.#before.has(name) && !isStored(name)
    const names = [...new Set([...this.#before.keys(), ...this.#after.keys()])]
    const renamed = renamedApplications(
      this.#before,
      this.#after,
      names.filter((name) => this.#compared.has(name) || isNew(name)),
    )
    const newNames = new Map([...renamed].map(([next, old]) => [old, next]))
    const changed = [...this.#before].flatMap(([name, before]) => {
      const compared = this.#compared.get(name)
      const after = this.#after.get(newNames.get(name) ?? name)
      return compared && !(after && isSame(before, after)) ? [{ ...compared, before, after }] : []
    })
    const added = new Map<string, string[]>()
    for (const name of names.filter((one) => isNew(one) && !renamed.has(one))) {
      for (const maker of this.#makers.get(name) ?? [])
        added.getOrInsertComputed(maker.name, () => []).push(name)
    }
    return { changed, added }
  }
}

function applicationsAmong(manifests: readonly Manifest[], namespace: string): PlacedApplication[] {
  return manifests.flatMap((manifest) => {
    if (!isApplication(manifestIdentity(manifest))) return []
    try {
      return placedApplication(manifest, namespace) ?? []
    } catch (error) {
      // An invalid one is a warning of the directory.
      if (!(error instanceof InvalidInputError)) throw error
      return []
    }
  })
}

/** Returns whether an Application is stored with the spec that a file has. */
function isWritten({ application, spec }: Member, written: PlacedApplication): boolean {
  const { project, destination, hydrated } = written.application
  return isDeepStrictEqual(
    [application.project, application.destination, spec],
    [project, destination, hydrated],
  )
}

function isSame(one: PlacedApplication, other: PlacedApplication): boolean {
  const [a, b] = [one, other].map(({ key, application }) => {
    const { project, destination, hydrated, annotations } = application
    return [key, project, destination, hydrated, annotations]
  })
  return isDeepStrictEqual(a, b)
}
