import { timingSafeEqual } from 'node:crypto'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Subject } from '@wadi/rbac/decide/claims.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** In whose name a stored set makes Applications while nobody asks for them. */
export interface Author {
  /** The last writer of the set. */
  subject: Subject
  /** The AppProjects that the author may make Applications in, as far as the set needed them; by name. */
  projects: readonly string[]
  /** The `metadata.generation` of the set that was checked. */
  generation: number
}

/** Returns the signature of a text, which nobody can make without the key of the services. */
export type Seal = (text: string) => string

/** The condition of a set's status that names its author. */
export const authorCondition = 'Authorized'

/** The code of the error that a set has no author whom it could make Applications for. */
export const authorMissing = 'author-missing'

/**
 * The author that a set's status names; undefined for a set that nobody wrote through this service, and for what others wrote into the
 * status: in a cluster they may.
 */
export function readAuthor(set: Resource, seal: Seal): Author | undefined {
  const { signature, ...fields } = writtenAuthor(set.status)
  const { subject, groups, projects, generation } = fields
  if (typeof signature !== 'string' || typeof subject !== 'string' || typeof generation !== 'number') {
    return undefined
  }
  const author = { subject: { sub: subject, groups: texts(groups) }, projects: texts(projects), generation }
  return isSame(signature, seal(signedText(set, author))) ? author : undefined
}

/** The author of a set as it is stored now; undefined also for one that was changed past this service. */
export function currentAuthor(set: Resource, seal: Seal): Author | undefined {
  const author = readAuthor(set, seal)
  return author?.generation === set.metadata.generation ? author : undefined
}

/**
 * Returns the status of a set with this author. It is in a condition, signed, since the definition of Argo CD has no field for it, and
 * who may change the set in a cluster could write any name there.
 */
export function statusWithAuthor(
  set: Resource,
  author: Author,
  seal: Seal,
  now: Date,
): Record<string, unknown> {
  const { subject, projects, generation } = author
  const fields = { subject: subject.sub, groups: subject.groups, projects, generation }
  const condition = {
    type: authorCondition,
    status: 'True',
    reason: 'Checked',
    message: JSON.stringify({ ...fields, signature: seal(signedText(set, author)) }),
    lastTransitionTime: now.toISOString().replace(/\.\d+Z$/, 'Z'),
  }
  const others = conditionsOf(set.status).filter(({ type }) => type !== authorCondition)
  return { ...set.status, conditions: [condition, ...others] }
}

/** The conditions of a status; none when they cannot be read. */
export function conditionsOf(status: Resource['status']): Record<string, unknown>[] {
  const conditions = status?.['conditions']
  return Array.isArray(conditions) ? conditions.filter(isJsonObject) : []
}

function writtenAuthor(status: Resource['status']): Record<string, unknown> {
  const message = conditionsOf(status).find(({ type }) => type === authorCondition)?.['message']
  try {
    const fields: unknown = typeof message === 'string' ? JSON.parse(message) : undefined
    return isJsonObject(fields) ? fields : {}
  } catch {
    return {}
  }
}

/** The uid keeps what is signed from being used for another set. */
function signedText({ metadata }: Resource, { subject, projects, generation }: Author): string {
  return JSON.stringify([metadata.uid, subject.sub, subject.groups, projects, generation])
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
