import { randomUUID } from 'node:crypto'
import { VersionedMap } from '@wadi/incremental/versioned-map.ts'
import type { Fingerprints } from '../branch-run.ts'

/** The fingerprints of one head, stored whole. */
export interface FingerprintBase {
  /** Names it in what is stored of later heads. */
  readonly id: string
  /** Time at which it was made, in milliseconds since 1970. */
  readonly at: number
  readonly head: string
  readonly fingerprints: Fingerprints
}

/** The fingerprints of a head, and the base of which it is stored as a difference. */
export interface KnownFingerprints {
  readonly head: string
  readonly fingerprints: Fingerprints
  /** Undefined for what an older version stored. */
  readonly base: FingerprintBase | undefined
}

/** Differences that are stored beside a base; with more, a new base costs less than to write all of them each time. */
const leastChanges = 64
const shareOfBase = 1 / 16

/** Makes the base of a head. */
export function newBase(head: string, fingerprints: Fingerprints): FingerprintBase {
  return { id: randomUUID(), at: Date.now(), head, fingerprints }
}

export function baseText({ id, at, head, fingerprints }: FingerprintBase): string {
  return JSON.stringify({ id, at, head, fingerprints: Object.fromEntries(fingerprints) })
}

/** Returns the differences of a head to store along with its base; undefined if so much differs that it should become a base. */
export function changesText(base: FingerprintBase, head: string, now: Fingerprints): string | undefined {
  const differing = now.differingFrom(base.fingerprints)
  if (differing.length > Math.max(leastChanges, base.fingerprints.size * shareOfBase)) return undefined
  const removed = differing.filter((path) => !now.has(path))
  // JSON leaves out the removed ones, which are undefined.
  const changed = Object.fromEntries(differing.map((path) => [path, now.get(path)]))
  return JSON.stringify({ base: base.id, head, changed, removed })
}

/**
 * Reads what was stored of a branch.
 * @param changes the differences stored along with a base, which may be another one; undefined if there are none
 * @throws SyntaxError for a text that was cut short
 */
export function readKnown(text: string, changes: string | undefined): KnownFingerprints {
  const { id, at, head, fingerprints } = JSON.parse(text) as {
    id?: string
    at?: number
    head: string
    fingerprints: Record<string, string>
  }
  const whole = VersionedMap.of(Object.entries(fingerprints))
  if (id === undefined || at === undefined) return { head, fingerprints: whole, base: undefined }
  const base = { id, at, head, fingerprints: whole }
  const later = changes === undefined ? undefined : readChanges(changes)
  if (later?.base !== id) return { head, fingerprints: whole, base }
  const removed = later.removed.map((path) => [path, undefined] as const)
  const now = whole.with([...removed, ...Object.entries(later.changed)])
  return { head: later.head, fingerprints: now, base }
}

interface StoredChanges {
  readonly base: string
  readonly head: string
  readonly changed: Record<string, string>
  readonly removed: string[]
}

/** Without changes that can be read, the base still says what its own head was rendered from. */
function readChanges(text: string): StoredChanges | undefined {
  try {
    return JSON.parse(text) as StoredChanges
  } catch {
    return undefined
  }
}
