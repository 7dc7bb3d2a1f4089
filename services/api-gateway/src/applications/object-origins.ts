import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { LRUCache } from 'lru-cache'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { type ManifestIdentity, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { by } from '@wadi/order/by-name.ts'
import type { ObjectOrigin } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import type { ExplainedParameter } from '@wadi/protocol/gen/wadi/parameters/v1/explanation_pb.ts'
import type { Application } from '@wadi/resources/application/application.ts'
import type { GatewayContext } from '../context.ts'
import type { ObjectsOfCommit } from './kept-objects.ts'
import { requirePermittedByProject } from './permitted-by-project.ts'
import { renderDry } from './render-dry.ts'
import { resolveDry } from './resolve-dry.ts'
import { dryRequests } from './store-application.ts'

/** An origin with the fields of the message `ListedOrigin`. */
interface ListedOrigin {
  origin: ObjectOrigin
  repoUrl: string
  drySha: string
  source: number
  objects: number
}

/** The origins of the objects of a hydrated commit. */
export interface OriginsOfCommit {
  /** By dry source, owners and template. */
  origins: readonly ListedOrigin[]
  /** Returns the position of the origin of an object, from 1; 0 for one that is not known. */
  readonly positionOf: (identity: ManifestIdentity) => number
  /** Returns the values that decide a dry source, by its number in origins; those of all sources without it. */
  readonly valuesOf: (source: number | undefined) => SourceValues
}

/** The values that decide a dry source. */
interface SourceValues {
  readonly values: readonly ExplainedParameter[]
  /** The number of those beyond the bounds of a list. */
  readonly leftOut: number
}

/** Kept for one commit: Applications can share its directory, and change. */
const maxKept = 10

/**
 * Returns what finds out from what the objects of a hydrated commit were made, by the dry commits that its record names. It is found out once
 * for a commit and the sources of the Application, as long as its objects are kept.
 */
export function keepOrigins(context: GatewayContext) {
  const known = new WeakMap<ObjectsOfCommit, LRUCache<string, Promise<OriginsOfCommit>>>()
  return async (application: Application, commit: ObjectsOfCommit): Promise<OriginsOfCommit> => {
    await requirePermittedByProject(context, application)
    const bySources = known.getOrInsertComputed(commit, () => new LRUCache({ max: maxKept }))
    const key = JSON.stringify(dryRequests(application))
    const kept = bySources.get(key)
    if (kept) return kept
    const found = readOrigins(context, application, commit)
    bySources.set(key, found)
    // What is out of reach now may be there later.
    found.catch(() => bySources.delete(key))
    return found
  }
}

async function readOrigins(
  context: GatewayContext,
  application: Application,
  commit: ObjectsOfCommit,
): Promise<OriginsOfCommit> {
  // Others wait for the same answer, so that it does not end with the call of one.
  const { signal } = new AbortController()
  const requests = dryRequests(application)
  const byObject = new Map<string, ListedOrigin>()
  const listed = new Map<string, ListedOrigin>()
  const values = new Map<number, SourceValues>()
  for (const dry of requests) {
    const revision = recordedRevision(commit, dry.position)
    const references = dry.references.map((reference) => ({
      ...reference,
      targetRevision: recordedRevision(commit, reference.position),
    }))
    const resolved = await resolveDry(context, { ...dry, references }, revision, signal, dry.position)
    const { manifests, origins } = await renderDry(
      context,
      { ...dry, ...resolved, withOrigins: true },
      signal,
    )
    const source = requests.length > 1 ? dry.position + 1 : 0
    const explained = await context.repoServer.getParameters(
      { ...dry, ...resolved, explain: true },
      { signal },
    )
    values.set(source, { values: explained.explained, leftOut: explained.explainedLeftOut })
    for (const [index, origin] of origins.entries()) {
      const manifest = manifests[index]
      if (!origin || !manifest) continue
      const key = JSON.stringify([dry.position, origin.owners, origin.template])
      const own = { origin, repoUrl: redactUrl(dry.repoUrl), drySha: revision, source, objects: 0 }
      byObject.set(
        objectKey(manifestIdentity(manifest)),
        listed.getOrInsertComputed(key, () => own),
      )
    }
  }
  for (const { identity } of commit.objects) {
    const origin = byObject.get(objectKey(identity))
    if (origin) origin.objects += 1
  }
  const origins = [...listed.values()].filter((origin) => origin.objects > 0).toSorted(by(orderOf))
  const positions = new Map(origins.map((origin, index) => [origin, index + 1]))
  return {
    origins,
    positionOf: (identity) => {
      const origin = byObject.get(objectKey(identity))
      return (origin && positions.get(origin)) ?? 0
    },
    valuesOf: (source) => {
      const found = [...values].flatMap(([of, one]) => (source === undefined || of === source ? [one] : []))
      return {
        values: found.flatMap((one) => one.values),
        leftOut: found.reduce((sum, { leftOut }) => sum + leftOut, 0),
      }
    },
  }
}

function orderOf({ source, origin: { owners, template } }: ListedOrigin): string {
  return [String(source).padStart(2, '0'), ...owners, template].join('\n')
}

function objectKey({ group, kind, namespace, name }: ManifestIdentity): string {
  return [group, kind, namespace, name].join('\n')
}

/**
 * Returns the revision that a `hydrator.metadata` records of a dry source: a commit, or the version of a chart.
 * @throws FailedPreconditionError when it records none
 */
function recordedRevision({ metadata, drySha, hydratedSha }: ObjectsOfCommit, position: number): string {
  const record = recordIn(metadata)
  const source = listAt(record, 'sources')[position] ?? (position === 0 ? record : {})
  const recorded = textAt(source, 'version') || textAt(source, 'drySha') || (position === 0 ? drySha : '')
  if (recorded !== '') return recorded
  throw new FailedPreconditionError(
    `hydrated commit ${hydratedSha.slice(0, 7)} does not record the commit of dry source ${position + 1}; hydrate the Application again`,
  )
}

/** Returns the object in a `hydrator.metadata`; nothing is in what somebody else left there. */
function recordIn(text: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
