import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import type { GatewayClient } from '../gateway-fixture.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** The parts of an ApplicationSet that tests decide. */
export interface SetFixture {
  /** Defaults to `set`. */
  name?: string
  generators: JsonObject[]
  /** The template's, by default `{{name}}`. */
  application?: string
  /** By default web. */
  project?: string
  /** The hydrated repository, directory and branch; without it the Applications are hydrated nowhere. */
  hydrated?: { repoURL: string; path: string; branch: string }
  annotations?: Record<string, string>
  metadata?: JsonObject
  /** Further fields of `spec`. */
  spec?: JsonObject
}

/** An ApplicationSet as a user writes it. */
export function setObject(set: SetFixture): JsonObject {
  const { name = 'set', generators, application = '{{name}}', hydrated, annotations = {}, metadata } = set
  const source = hydrated
    ? {
        sourceHydrator: {
          drySource: { repoURL: hydrated.repoURL, targetRevision: 'main', path: hydrated.path },
          syncSource: { targetBranch: hydrated.branch, path: application },
        },
      }
    : { source: { repoURL: 'https://git.example.com/plain.git', targetRevision: 'main', path: 'plain' } }
  const template = {
    metadata: { name: application },
    spec: {
      project: set.project ?? 'web',
      destination: { server: 'https://kubernetes.default.svc', namespace: application },
      ...source,
    },
  }
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, annotations, ...metadata },
    spec: { generators, template, ...set.spec },
  }
}

/** A generator with an element for each text, under the key `name`. */
export function namesGenerator(...names: string[]): JsonObject {
  return { list: { elements: names.map((name) => ({ name })) } }
}

/** The names of all Applications that a user sees, sorted. */
export async function applicationNames(gateway: GatewayClient): Promise<string[]> {
  const { applications } = await gateway.applications.listApplications({})
  return applications.map((application) => metadataOf(application).name)
}

/** The metadata of an object that a test reads. */
export interface Metadata {
  name: string
  uid: string
  generation: number
  resourceVersion: string
  ownerReferences?: {
    apiVersion: string
    blockOwnerDeletion?: boolean
    kind: string
    name: string
    uid: string
    controller: boolean
  }[]
}

/** A part of an object that the server answered, such as `spec`; empty when there is none. */
export function partOf(object: JsonObject | undefined, part: 'metadata' | 'spec' | 'status'): JsonObject {
  return (object?.[part] ?? {}) as JsonObject
}

/** The metadata of an object that the server answered. */
export function metadataOf(object: JsonObject | undefined): Metadata {
  return (object as unknown as { metadata: Metadata }).metadata
}

/** A condition of an ApplicationSet. */
export interface Condition {
  type: string
  status: string
  reason: string
  message: string
}

/** The conditions of a set that are true, by their type. */
export function trueConditions(set: JsonObject | undefined): Map<string, Condition> {
  const { status } = set as unknown as { status?: { conditions?: Condition[] } }
  const conditions = status?.conditions ?? []
  return new Map(conditions.flatMap((one) => (one.status === 'True' ? [[one.type, one] as const] : [])))
}

/** In whose name a set makes Applications, without the signature. */
export function authorIn(set: JsonObject | undefined): unknown {
  const { signature: _, ...author } = JSON.parse(trueConditions(set).get('Authorized')?.message ?? '{}')
  return author
}

/**
 * Watches an ApplicationSet until it is as wanted, and returns it.
 * @throws Error with the last state that was seen after three minutes
 */
export async function waitForSet(
  gateway: GatewayClient,
  name: string,
  isWanted: (set: JsonObject) => boolean,
): Promise<JsonObject> {
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(hangLimitMs)])
  let last: JsonObject | undefined
  try {
    const watch = gateway.applicationSets.watchApplicationSets({ name }, { signal, timeoutMs: 0 })
    for await (const { applicationSet = {} } of watch) {
      if (isWanted(applicationSet)) return applicationSet
      last = applicationSet
    }
  } catch (cause) {
    throw new Error(`set ${name} did not become as wanted: ${JSON.stringify(last)}`, { cause })
  } finally {
    end.abort()
  }
  throw new Error(`the watch of set ${name} ended: ${JSON.stringify(last)}`)
}

/**
 * Makes a call again and again until it is refused as expected, or not refused for undefined: what an operator stores
 * applies once every service has received it.
 * @throws Error with the last error after 30 s
 */
export async function eventually(call: () => Promise<unknown>, expected: string | undefined): Promise<void> {
  const deadline = performance.now() + hangLimitMs
  for (;;) {
    const rejection = await rejectionOf(call())
    if (rejection === expected) return
    if (performance.now() > deadline) throw new Error(`not ${expected} but ${rejection}`)
    await pause(20)
  }
}

/** Returns the error of a call that must be rejected; undefined if it succeeded. */
export async function rejectionOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error)
    return `${Code[code]}: ${rawMessage}`
  }
}
