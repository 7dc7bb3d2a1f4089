import { randomUUID } from 'node:crypto'

/** Fingerprints by path. */
export type Fingerprints = ReadonlyMap<string, string>

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
export interface HeldFingerprints {
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
  const { fingerprints: before } = base
  const most = Math.max(leastChanges, before.size * shareOfBase)
  const changed: [path: string, fingerprint: string][] = []
  for (const [path, fingerprint] of now) {
    if (before.get(path) === fingerprint) continue
    changed.push([path, fingerprint])
    if (changed.length > most) return undefined
  }
  const removed: string[] = []
  for (const path of before.keys()) if (!now.has(path)) removed.push(path)
  if (changed.length + removed.length > most) return undefined
  return JSON.stringify({ base: base.id, head, changed: Object.fromEntries(changed), removed })
}

/**
 * Reads what was stored of a branch.
 * @param changes the differences stored along with a base, which may be another one; undefined if there are none
 * @throws SyntaxError for a text that was cut short
 */
export function readHeld(text: string, changes: string | undefined): HeldFingerprints {
  const { id, at, head, fingerprints } = JSON.parse(text) as {
    id?: string
    at?: number
    head: string
    fingerprints: Record<string, string>
  }
  const whole = new Map(Object.entries(fingerprints))
  if (id === undefined || at === undefined) return { head, fingerprints: whole, base: undefined }
  const base = { id, at, head, fingerprints: whole }
  const later = changes === undefined ? undefined : readChanges(changes)
  if (later?.base !== id) return { head, fingerprints: whole, base }
  const now = new Map(whole)
  for (const path of later.removed) now.delete(path)
  for (const [path, fingerprint] of Object.entries(later.changed)) now.set(path, fingerprint)
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

/** Returns true if two heads were rendered from the same inputs. */
export function isSame(one: Fingerprints, other: Fingerprints): boolean {
  if (one === other) return true
  if (one.size !== other.size) return false
  for (const [path, fingerprint] of one) if (other.get(path) !== fingerprint) return false
  return true
}
