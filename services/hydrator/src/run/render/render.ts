import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type RenderRecord,
  RenderRecordSchema,
  type RenderSourcesRequestSchema,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { createContextValues } from '@connectrpc/connect'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { replicaRank } from '@wadi/rpc/replicas/route.ts'
import type { FilePlace } from '@wadi/protocol/gen/wadi/places/v1/places_pb.ts'
import type { FileBesideManifests } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import { renderedPositions } from '@wadi/resources/application/dry-sources.ts'
import type { Directory, ObservedGroup } from '../branch-run.ts'
import { requestedTools } from '../branch-tools.ts'
import type { RunContext } from '../run-context.ts'
import type { GroupPlan, InspectedDirectory, WantedOfGroup } from '../inspect/inspect.ts'
import { byPosition } from '../inspect/by-position.ts'
import { type FormerOf, formerManifests, withFormer } from './former-manifests.ts'
import { joinedDirectory, type RenderedPart } from './joined-directory.ts'
import type { OperatorSettings } from '../../operator-settings.ts'
import { definitionSets, withDefinitions } from './given-definitions.ts'
import { policySetsOf } from './policy-sets.ts'
import { sourceRequest } from '../inspect/source-request.ts'
import { type SourceBatch, sourceBatches } from '../inspect/source-batches.ts'

/** With fewer directories than this for each, one more repo-server costs more by fetching the repository than it gains. */
const directoriesPerReplica = 25

/** A dry commit of a group and what must be done for it. */
export interface PlannedOfGroup extends WantedOfGroup {
  plan: GroupPlan
}

/** The result of rendering one directory. */
export interface RenderedDirectory extends InspectedDirectory {
  /** JSON documents in the order of manifest.yaml. */
  manifests: string[]
  /** The files below `files/`. */
  files: FileBesideManifests[]
  /** The facts that the render reports for `hydrator.metadata` and the Applications' status; empty if there is an error. */
  record: RenderRecord
  /** The commands of each source by its position, which the record has together. */
  commandsOf: ReadonlyMap<number, readonly string[]>
  /** The error of the render; empty if there are manifests. */
  error: string
  /** True if the same render may succeed later although nothing changed. */
  retryable: boolean
  /** The place of the error in a file, if known. */
  place: FilePlace | undefined
  /** True for the result of an earlier render. */
  cached: boolean
}

/**
 * Renders what a plan says has changed and yields each directory as soon as it is there. Much work is cut into portions for
 * several repo-servers, although each must fetch the repository for that; an invalid directory does not keep the others from being rendered, so one run reports every error.
 */
export async function* renderChanged(
  context: RunContext,
  { run, outcome, group, drySha, plan, withoutCommands = false }: PlannedOfGroup,
  signal: AbortSignal,
): AsyncGenerator<RenderedDirectory> {
  const { changed: directories } = plan
  if (directories.length === 0) return
  const asked = performance.now()
  using _ = await context.rendering.take(run, signal)
  context.events.waited(run.project, 'rendering', performance.now() - asked)
  const worthwhile = Math.ceil(directories.length / directoriesPerReplica)
  const replicas = Math.min(await context.repoServer.replicas(), worthwhile)
  const portion = replicas === 1 ? directories.length : Math.ceil(directories.length / (replicas * 4))
  const ofDirectory = ({ directory }: InspectedDirectory) => directory
  const batches = byPosition(directories, ofDirectory).flatMap(([position, some]) =>
    sourceBatches(some, ofDirectory, position, portion).map((batch) => ({ batch, position })),
  )
  const wantFormer = directories.map(ofDirectory).filter((directory) => plan.wantsFormer.has(directory))
  const former = formerManifests(context, { run, outcome }, wantFormer, signal)
  const formerOf: FormerOf = async (directory) => (plan.wantsFormer.has(directory) ? former(directory) : '')
  const streams = batches.map((one, index) =>
    renderBatch(
      context,
      {
        group,
        drySha,
        fresh: run.hard,
        tools: { tools: run.tools, ...requestedTools(run, withoutCommands) },
        withoutCommands,
        formerOf,
        settings: run.settings,
        ...one,
        rank: index % replicas,
      },
      signal,
    ),
  )
  const parts = new Map<Directory, RenderedPart[]>()
  const missing = new Set(directories.map(ofDirectory))
  for await (const part of merge(streams, 2 * replicas)) {
    const { directory } = part.inspected
    const known = [...(parts.get(directory) ?? []), part]
    parts.set(directory, known)
    if (known.length < renderedPositions(directory.members[0].spec).length) continue
    parts.delete(directory)
    missing.delete(directory)
    yield joinedDirectory(known)
  }
  // What is not there would stay on the branch as it was, and be taken for rendered.
  if (missing.size > 0)
    throw new UnavailableError(`repo-server left out ${missing.size} of ${directories.length} directories`)
}

interface BatchToRender {
  group: ObservedGroup
  drySha: string
  fresh: boolean
  /** The versions that render. */
  tools: Pick<MessageInitShape<typeof RenderSourcesRequestSchema>, 'tools' | 'defaultTools'>
  withoutCommands: boolean
  formerOf: FormerOf
  settings: Pick<OperatorSettings, 'policyTexts'>
  batch: SourceBatch<InspectedDirectory>
  /** The position among the sources. */
  position: number
  /** The rank of the repo-server that renders it: 0 for the one that has the repository. */
  rank: number
}

async function* renderBatch(
  context: RunContext,
  { batch, formerOf, ...rest }: BatchToRender,
  signal: AbortSignal,
): AsyncGenerator<RenderedPart> {
  for await (const some of withFormer(batch, formerOf))
    yield* renderPortion(context, { ...rest, batch: some }, signal)
}

async function* renderPortion(
  context: RunContext,
  { group, drySha, batch, position, rank, settings, ...rest }: Omit<BatchToRender, 'formerOf'>,
  signal: AbortSignal,
): AsyncGenerator<RenderedPart> {
  const { items } = batch
  const { fresh, tools, withoutCommands } = rest
  const policySets = [
    ...policySetsOf(
      items.flatMap(({ directory: { gates = [] } }) => gates),
      settings,
    ),
    ...definitionSets(items),
  ]
  const given = { sources: withDefinitions(batch), fresh, ...tools, withoutCommands, policySets }
  const request = { ...sourceRequest(group, position, drySha), ...given }
  const contextValues = createContextValues().set(replicaRank, rank)
  const received = new Map<number, Pick<RenderedPart, 'manifests' | 'files'>>()
  for await (const part of context.repoServer.renderSources(request, { signal, contextValues })) {
    const whole = received.get(part.index) ?? { manifests: [], files: [] }
    whole.manifests.push(...part.manifests)
    whole.files.push(...part.files)
    received.set(part.index, whole)
    const inspected = items[part.index]
    if (!part.done || !inspected) continue
    received.delete(part.index)
    const { record = create(RenderRecordSchema), error, retryable, place, fingerprint, cached } = part
    yield { inspected, position, fingerprint, ...whole, record, error, retryable, place, cached }
  }
}

/** Yields from several streams as their items come, reading at most `width` of them at a time. */
async function* merge<T>(streams: AsyncGenerator<T>[], width: number): AsyncGenerator<T> {
  const waiting = [...streams]
  const reading = new Map<
    AsyncGenerator<T>,
    Promise<{ stream: AsyncGenerator<T>; result: IteratorResult<T> }>
  >()
  const read = (stream: AsyncGenerator<T>): void => {
    reading.set(
      stream,
      stream.next().then((result) => ({ stream, result })),
    )
  }
  try {
    for (;;) {
      while (reading.size < width) {
        const next = waiting.shift()
        if (!next) break
        read(next)
      }
      if (reading.size === 0) return
      const { stream, result } = await Promise.race(reading.values())
      if (result.done) {
        reading.delete(stream)
      } else {
        read(stream)
        yield result.value
      }
    }
  } finally {
    // A failed stream ends the others, so that no renderer works for nobody.
    await Promise.allSettled([...reading.keys()].map((stream) => stream.return(undefined)))
  }
}
