import { KnownFields, wireMessage } from '../plugin-protocol/protobuf-wire-fixture.ts'

/** The parts of an ApplicationSet that tests decide. */
export interface WrittenSet {
  readonly name: string
  /** Parameters `name` of a list generator. */
  readonly elements: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  /** Field 99 of `spec`, which nobody knows. */
  readonly future?: boolean
}

/** The parts of an ApplicationSet that tests read. */
export interface ReadSet {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation: bigint
  readonly isDated: boolean
  readonly labels: readonly (readonly [key: string, value: string])[]
  /** Elements of the first generator, as JSON. */
  readonly elements: readonly string[]
  readonly project: string
  /** Names of the Applications in the status. */
  readonly resources: readonly string[]
}

/** The parts of an Application that tests read. */
export interface ReadApplication {
  readonly name: string
  readonly project: string
  readonly namespace: string
  readonly dryPath: string
}

const empty = Buffer.alloc(0)

/** An `ApplicationSet` as Go encodes it: what has no pointer is written also when it is zero. */
export function applicationSet({ name, elements, labels = {}, future = false }: WrittenSet): Buffer {
  const generator = wireMessage([1, listGenerator(elements)])
  const spec = wireMessage(
    [1, false],
    [2, generator],
    [3, template('{{name}}', applicationSpec())],
    [8, false],
    ...(future ? [[99, true] as const] : []),
  )
  const status = wireMessage([4, 0n], [5, wireMessage([1, ''], [2, ''])])
  return wireMessage([1, objectMeta(name, labels)], [2, spec], [3, status])
}

function listGenerator(elements: readonly string[]): Buffer {
  const json = elements.map((name) => wireMessage([1, JSON.stringify({ name })]))
  return wireMessage(
    ...json.map((element) => [1, element] as const),
    [2, template('', wireMessage([2, destination('', '')], [3, '']))],
    [3, ''],
  )
}

function template(name: string, spec: Buffer): Buffer {
  return wireMessage([1, wireMessage([1, name], [2, ''])], [2, spec])
}

function applicationSpec(): Buffer {
  const drySource = wireMessage([1, 'https://git.example.com/deploy.git'], [2, 'main'], [3, 'apps/{{name}}'])
  const syncSource = wireMessage([1, 'environments/prod'], [2, '{{name}}'], [3, ''])
  const hydrator = wireMessage([1, drySource], [2, syncSource])
  return wireMessage(
    [2, destination('https://kubernetes.default.svc', '{{name}}')],
    [3, 'default'],
    [9, hydrator],
  )
}

function destination(server: string, namespace: string): Buffer {
  return wireMessage([1, server], [2, namespace], [3, ''])
}

function objectMeta(name: string, labels: Readonly<Record<string, string>>): Buffer {
  const texts = [name, '', '', '', '', ''].map((text, index) => [index + 1, text] as const)
  const entries = Object.entries(labels).map(
    ([key, value]) => [11, wireMessage([1, key], [2, value])] as const,
  )
  return wireMessage(...texts, [7, 0n], [8, empty], ...entries)
}

/** Reads an `ApplicationSet`. @throws Error for a field that Argo CD does not have */
export function readSet(bytes: Buffer): ReadSet {
  const set = new KnownFields(bytes, [1, 2, 3])
  const metadata = readMetadata(set)
  const spec = new KnownFields(inner(set, 2), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const list = new KnownFields(inner(new KnownFields(inner(spec, 2), [1, 9]), 1), [1, 2, 3])
  const ofTemplate = new KnownFields(inner(spec, 3), [1, 2])
  const status = new KnownFields(inner(set, 3), [1, 2, 3, 4, 5])
  return {
    name: metadata.text(1),
    namespace: metadata.text(3),
    uid: metadata.text(5),
    resourceVersion: metadata.text(6),
    generation: metadata.number(7),
    isDated: new KnownFields(inner(metadata, 8), [1, 2]).number(1) > 0n,
    labels: metadata.all(11).map((entry) => {
      const fields = new KnownFields(entry, [1, 2])
      return [fields.text(1), fields.text(2)]
    }),
    elements: list.all(1).map((element) => new KnownFields(element, [1]).text(1)),
    project: new KnownFields(inner(ofTemplate, 2), applicationFields).text(3),
    resources: status.all(3).map((item) => new KnownFields(item, resourceFields).text(5)),
  }
}

/** Reads an `Application` as an ApplicationSet generates it. @throws Error for a field that Argo CD does not have */
export function readApplication(bytes: Buffer): ReadApplication {
  const application = new KnownFields(bytes, [1, 2])
  const spec = new KnownFields(inner(application, 2), applicationFields)
  const dry = new KnownFields(inner(new KnownFields(inner(spec, 9), [1, 2, 3]), 1), [1, 2, 3, 4, 5, 6, 7])
  return {
    name: readMetadata(application).text(1),
    project: spec.text(3),
    namespace: new KnownFields(inner(spec, 2), [1, 2, 3]).text(2),
    dryPath: dry.text(3),
  }
}

/** Reads an `ApplicationSetList`. */
export function readList(bytes: Buffer): { resourceVersion: string; sets: ReadSet[] } {
  const list = new KnownFields(bytes, [1, 2])
  const metadata = new KnownFields(inner(list, 1), [1, 2, 3, 4])
  return { resourceVersion: metadata.text(2), sets: list.all(2).map(readSet) }
}

/** Reads an `ApplicationSetWatchEvent`. */
export function readEvent(bytes: Buffer): { type: string; set: ReadSet } {
  const event = new KnownFields(bytes, [1, 2])
  return { type: event.text(1), set: readSet(inner(event, 2)) }
}

const applicationFields = [1, 2, 3, 4, 5, 6, 7, 8, 9]
const resourceFields = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

function readMetadata(object: KnownFields): KnownFields {
  return new KnownFields(inner(object, 1), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17])
}

/** The message in a field; one without fields when it is missing. */
function inner(fields: KnownFields, number: number): Buffer {
  return fields.all(number).at(-1) ?? empty
}
