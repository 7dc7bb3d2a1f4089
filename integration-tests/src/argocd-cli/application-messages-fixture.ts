import { KnownFields } from '../plugin-protocol/protobuf-wire-fixture.ts'

const empty = Buffer.alloc(0)

/** The parts of an Application of Argo CD that tests read. */
export interface ReadApplication {
  readonly name: string
  readonly namespace: string
  readonly labels: readonly (readonly [key: string, value: string])[]
  readonly project: string
  readonly destinationNamespace: string
  /** Repository, revision and path of the dry source. */
  readonly dry: readonly string[]
  /** Branch and path of the source that is applied from. */
  readonly synced: readonly string[]
  readonly hasSource: boolean
  readonly sync: string
  readonly health: string
  readonly conditions: readonly { type: string; message: string }[]
  /** Revisions of the history. */
  readonly history: readonly string[]
}

/** Reads an `Application`. @throws Error for a field that Argo CD does not have */
export function readApplication(bytes: Buffer): ReadApplication {
  const application = new KnownFields(bytes, [1, 2, 3])
  const metadata = inner(application, 1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17])
  const spec = inner(application, 2, [1, 2, 3, 4, 5, 6, 7, 8, 9])
  const hydrator = inner(spec, 9, [1, 2, 3])
  const dry = inner(hydrator, 1, [1, 2, 3, 4, 5, 6, 7])
  const synced = inner(hydrator, 2, [1, 2, 3])
  const state = inner(application, 3, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
  return {
    name: metadata.text(1),
    namespace: metadata.text(3),
    labels: metadata.all(11).map((entry) => {
      const fields = new KnownFields(entry, [1, 2])
      return [fields.text(1), fields.text(2)]
    }),
    project: spec.text(3),
    destinationNamespace: inner(spec, 2, [1, 2, 3]).text(2),
    dry: [dry.text(1), dry.text(2), dry.text(3)],
    synced: [synced.text(1), synced.text(2)],
    hasSource: spec.all(1).length > 0,
    sync: inner(state, 2, [1, 2, 3, 4]).text(1),
    health: inner(state, 3, [1, 2, 3]).text(1),
    conditions: state.all(5).map((condition) => {
      const fields = new KnownFields(condition, [1, 2, 3])
      return { type: fields.text(1), message: fields.text(2) }
    }),
    history: state.all(4).map((entry) => new KnownFields(entry, [2, 4, 5, 6, 7, 8, 9, 10]).text(2)),
  }
}

/** Reads what tests look at in an `AppProject`. @throws Error for a field that Argo CD does not have */
export function readProject(bytes: Buffer): { name: string; description: string; sourceRepos: string[] } {
  const project = new KnownFields(bytes, [1, 2, 3])
  const spec = inner(project, 2, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
  return {
    name: inner(project, 1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17]).text(1),
    description: spec.text(3),
    sourceRepos: spec.all(1).map(String),
  }
}

/** Reads a `ResourceDiff`. */
export function readResourceDiff(bytes: Buffer) {
  const fields = new KnownFields(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  return {
    object: `${fields.text(2)} ${fields.text(3)}/${fields.text(4)}`,
    target: JSON.parse(fields.text(5)) as unknown,
    live: JSON.parse(fields.text(9)) as unknown,
    modified: fields.number(12) === 1n,
  }
}

function inner(fields: KnownFields, number: number, known: readonly number[]): KnownFields {
  return new KnownFields(fields.all(number).at(-1) ?? empty, known)
}
