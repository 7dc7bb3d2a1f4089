import { create } from '@bufbuild/protobuf'
import { joinManifests, repeatedWarnings } from '@wadi/manifests/join-manifests.ts'
import { manifestIdentity } from '@wadi/manifests/manifest.ts'
import { manifestFromJson, manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { randomKey } from '@wadi/manifests/random-fields.ts'
import { boundParameters } from '@wadi/params/explain/bound-parameters.ts'
import type { FileBesideManifests } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import type { FilePlace } from '@wadi/protocol/gen/wadi/places/v1/places_pb.ts'
import {
  type RandomValues,
  RandomValuesSchema,
  type RenderRecord,
  RenderRecordSchema,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { InspectedDirectory } from '../inspect/inspect.ts'
import { joinedFingerprint } from '../inspect/joined-inspections.ts'
import { definedIdentity, identityOf } from '../inspect/list-findings.ts'
import type { RenderedDirectory } from './render.ts'

/** The result of rendering one source of a directory. */
export interface RenderedPart {
  inspected: InspectedDirectory
  /** That of the source in the list. */
  position: number
  manifests: string[]
  files: FileBesideManifests[]
  record: RenderRecord
  error: string
  retryable: boolean
  place: FilePlace | undefined
  /** That of what was rendered; empty for an error. */
  fingerprint: string
  /** True for the result of an earlier render. */
  cached: boolean
}

/** The result of a directory's sources, given in any order. */
export function joinedDirectory(given: readonly RenderedPart[]): RenderedDirectory {
  const parts = given.toSorted((a, b) => a.position - b.position)
  const [first, ...more] = parts
  if (!first) throw new Error('a directory has no sources')
  const { inspected, position: _position, fingerprint: _fingerprint, ...alone } = first
  const isComplete = parts.every((part) => part.fingerprint !== '')
  const own = joinedFingerprint(parts.map((part) => part.fingerprint))
  const fingerprint = isComplete
    ? definedIdentity(identityOf(inspected.directory, own), inspected.definitions)
    : inspected.fingerprint
  const commandsOf = new Map(parts.map(({ position, record }) => [position, record.commands]))
  const joined = more.length === 0 ? alone : joinedParts(parts)
  return { ...inspected, fingerprint, commandsOf, ...joined }
}

function joinedParts(
  parts: readonly RenderedPart[],
): Omit<RenderedPart, 'inspected' | 'position' | 'fingerprint'> {
  const wrong = parts.filter(({ error }) => error !== '')
  const joined = joinManifests(parts.flatMap((part) => part.manifests.map((text) => manifestFromJson(text))))
  const files = new Map(parts.flatMap((part) => part.files.map((file) => [file.path, file] as const)))
  return {
    manifests: wrong.length > 0 ? [] : joined.manifests.map(manifestToJson),
    files: [...files.values()],
    // Errors of several sources are one, which no finding stands for.
    record: wrong.length > 1 ? create(RenderRecordSchema) : joinedRecord(parts, repeatedWarnings(joined)),
    error: wrong.map(({ error }) => error).join('\n'),
    retryable: wrong.length > 0 && wrong.every(({ retryable }) => retryable),
    place: wrong[0]?.place,
    cached: parts.every(({ cached }) => cached),
  }
}

function joinedRecord(parts: readonly RenderedPart[], warnings: readonly string[]): RenderRecord {
  const records = parts.map(({ record }) => record)
  const { parameters, leftOut } = boundParameters(records.flatMap((record) => record.parameters))
  const tools = new Map(
    records.flatMap((record) => record.tools.map((tool) => [`${tool.name} ${tool.version}`, tool])),
  )
  return create(RenderRecordSchema, {
    commands: records.flatMap(({ commands }) => commands),
    tools: [...tools.values()],
    warnings: [...records.flatMap((record) => record.warnings), ...warnings],
    parameters: [...parameters],
    parametersLeftOut: records.reduce((sum, record) => sum + record.parametersLeftOut, leftOut),
    pluginVariables: Object.assign({}, ...records.map(({ pluginVariables }) => pluginVariables)),
    random: joinedRandom(parts),
    findings: records.flatMap(({ findings }) => findings),
    coveredFindings: records.flatMap(({ coveredFindings }) => coveredFindings),
    findingsLeftOut: records.reduce((sum, record) => sum + record.findingsLeftOut, 0),
    gateRuns: records.every(({ gateRuns }) => gateRuns.length > 0)
      ? records.flatMap(({ gateRuns }) => gateRuns)
      : [],
  })
}

/** Returns the random values of the objects that are kept: of one that several sources have, that of the last. */
function joinedRandom(parts: readonly RenderedPart[]): RandomValues[] {
  if (parts.every(({ record }) => record.random.length === 0)) return []
  const taken = new Set<string>()
  const joined = parts.toReversed().flatMap(({ manifests, record }) => {
    const kept = record.random.map(({ difference, objects }) =>
      create(RandomValuesSchema, {
        difference,
        objects: objects.filter((object) => !taken.has(randomKey(object))),
      }),
    )
    for (const text of manifests) taken.add(randomKey(manifestIdentity(manifestFromJson(text))))
    return kept
  })
  return joined.toReversed()
}
