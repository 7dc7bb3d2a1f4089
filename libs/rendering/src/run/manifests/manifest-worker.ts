import { parentPort } from 'node:worker_threads'
import { errorFields } from '@wadi/errors/error-fields.ts'
import { GoProgramError } from '@wadi/gotemplate/go-program.ts'
import {
  DomainError,
  errorMessage,
  InvalidInputError,
  ResourceExhaustedError,
} from '@wadi/errors/domain-error.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import { shortened, someOf } from '@wadi/errors/some-of.ts'
import type { OnDuplicateKey } from '@wadi/manifests/compose-yaml.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { dropEmptyAnnotations } from '@wadi/manifests/empty-annotations.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { listOfObjects, type ManifestDocument, readDocuments } from '@wadi/manifests/parse-manifests.ts'
import { sortManifests } from '@wadi/manifests/sort-manifests.ts'
import { differingLines } from './differing-lines.ts'
import { listOrigins, originIn } from './manifest-origins.ts'
import { type FoundManifest, manifestWarnings } from './manifest-warnings.ts'
import type {
  JsonnetJob,
  ManifestAnswer,
  ManifestOrigin,
  ManifestText,
  ManifestJob,
  ReadManifests,
} from './manifest-job.ts'
import { type PlacedManifest, placeManifests } from './place-manifests.ts'

parentPort?.on('message', (job: ManifestJob) => {
  void work(job).then((answer) => parentPort?.postMessage(answer, []))
})

async function work(job: ManifestJob): Promise<ManifestAnswer> {
  try {
    return await readManifests(job)
  } catch (error) {
    return { failure: errorFields(error instanceof DomainError ? error : unforeseen(error, job)) }
  }
}

/** Stack overflows and the end of an evaluator: whatever it was, the file under way made it happen. */
function unforeseen(error: unknown, { files, progress }: ManifestJob): InvalidInputError {
  const reason = errorMessage(error)
  // The end of a Go program names the file as its place itself.
  if (error instanceof GoProgramError) return new InvalidInputError(reason)
  return new InvalidInputError(reason, {
    at: { file: files[Atomics.load(progress, 0)]?.file ?? 'manifests' },
  })
}

async function readManifests(job: ManifestJob): Promise<ReadManifests> {
  const found: FoundManifest[] = []
  const placed: PlacedManifest[] = []
  const others: string[] = []
  const repeated: string[] = []
  const differing: string[] = []
  const origins = new Map<Manifest, ManifestOrigin>()
  for (const [index, file] of job.files.entries()) {
    Atomics.store(job.progress, 0, index)
    const text = file.jsonnet ? await evaluate(file, job.jsonnet) : file.text
    const documents = parse(file, text, job.textBytes, repeated)
    if (documents === undefined) {
      others.push(
        `${file.file} is ignored: it has neither apiVersion nor kind; move it, or name it in directory.exclude`,
      )
      continue
    }
    if (file.file.endsWith('.json') && text.trim() === '')
      others.push(`${file.file} is empty, which Argo CD refuses; remove it`)
    if (!file.jsonnet) differing.push(...differingLines(file.file, text))
    const read: Manifest[] = []
    for (const { manifests, part, isWholePart } of documents) {
      const origin = originIn(file, isWholePart ? part.text : '')
      for (const manifest of manifests) origins.set(manifest, origin)
      read.push(...manifests)
    }
    for (const manifest of read) found.push({ manifest, file: file.file })
    const { placement } = file
    if (placement !== undefined) placed.push(...read.map((manifest) => ({ manifest, placement })))
  }
  const all = found.map(({ manifest }) => manifest)
  for (const manifest of all) dropEmptyAnnotations(manifest)
  const warnings = placeManifests(placed, all)
  const sorted = sortManifests(all)
  const manifests = sorted.map((manifest) => manifestToJson(manifest))
  const bytes = manifests.reduce((sum, manifest) => sum + Buffer.byteLength(manifest), 0)
  if (bytes > job.manifestBytes) {
    throw new ResourceExhaustedError(
      `${job.files[0]?.file ?? 'manifests'}: ${bytes} bytes of manifests, more than ${job.manifestBytes} for one application; split it`,
    )
  }
  return {
    manifests,
    printed: positionsAmong(all, sorted),
    ...listOrigins(sorted, origins),
    warnings: [...warnings, ...manifestWarnings(found)],
    textWarnings: [others, repeated, differing].flatMap((ofKind) => someOf(ofKind, maxTextWarnings)),
  }
}

function positionsAmong(all: readonly Manifest[], sorted: readonly Manifest[]): number[] {
  const positions = new Map(all.map((manifest, index) => [manifest, index]))
  const printed = sorted.map((manifest) => positions.get(manifest) ?? 0)
  return printed.every((position, index) => position === index) ? [] : printed
}

/** A line, or an entry of an object in braces, that begins as those of a manifest do. */
const manifestField = /(?:^|[{,]\s*)["']?(?:apiVersion|kind)["']?[ \t]*:/m

/** Most warnings of one kind about texts. */
const maxTextWarnings = 20

/** Undefined for a file of another kind where there may be one. As for Argo CD, what looks like a manifest must be one. */
function parse(
  { file, remedy, jsonnet, mayBeOther = false, mayRepeatKeys = false }: ManifestText,
  text: string,
  maxBytes: number,
  repeated: string[],
): ManifestDocument[] | undefined {
  const warn: OnDuplicateKey = (key, at) => {
    const place = `${formatLocation(at)}: duplicate key ${JSON.stringify(shortened(key))}`
    repeated.push(`${place}; the last one is kept, as helm install does: remove one of the two`)
  }
  const onDuplicateKey = mayRepeatKeys ? warn : undefined
  try {
    // In a list of Jsonnet, null is what a condition without an else yields.
    return [...readDocuments(text, { file, limits: { maxBytes }, skipsNullItems: jsonnet, onDuplicateKey })]
  } catch (cause) {
    if (!(cause instanceof InvalidInputError)) throw cause
    if (mayBeOther && !manifestField.test(text) && cause.code !== listOfObjects) return undefined
    if (jsonnet) throw ofResult(cause, file)
    throw remedy === undefined ? cause : cause.with({ reason: `${cause.reason}; ${remedy}` })
  }
}

/** The result of Jsonnet has no lines of a file, so its fields name the place. */
function ofResult(cause: InvalidInputError, file: string): InvalidInputError {
  const field = cause.path === undefined || cause.path === '' ? '' : ` (${cause.path} of the result)`
  return cause.with({ reason: `${cause.reason}${field}`, at: { file } })
}

async function evaluate(file: ManifestText, job: JsonnetJob | undefined): Promise<string> {
  // Loaded on first use: the evaluator is WebAssembly of several megabytes, which plain manifests do not need.
  const { loadJsonnet } = await import('@wadi/engines/jsonnet/jsonnet.ts')
  const jsonnet = await loadJsonnet()
  const output = jsonnet.evaluate({
    file: file.file,
    read: (path: string) => job?.sources.get(path),
    libraries: [...(job?.libraries ?? [])],
    externalVariables: [...(job?.externalVariables ?? [])],
    topLevelArguments: [...(job?.topLevelArguments ?? [])],
  })
  return output.trimStart().startsWith('[') ? `{"apiVersion":"v1","kind":"List","items":${output}}` : output
}
