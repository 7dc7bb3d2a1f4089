import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Subject } from '@wadi/rbac/decide/claims.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** In whose name a stored set makes Applications while nobody asks for them. */
export interface Author {
  /** Who wrote the set last. */
  subject: Subject
  /** The AppProjects that the author may make Applications in, as far as the set needed them; by name. */
  projects: readonly string[]
  /** The `metadata.generation` of the set that was checked. */
  generation: number
}

/** The author that a set's status names; undefined for a set that nobody wrote through this service. */
export function readAuthor({ status = {} }: Resource): Author | undefined {
  const { authorization } = status
  if (!isJsonObject(authorization)) return undefined
  const { subject, groups, projects, generation } = authorization
  if (typeof subject !== 'string' || typeof generation !== 'number') return undefined
  return { subject: { sub: subject, groups: texts(groups) }, projects: texts(projects), generation }
}

/** The author of a set as it is stored now; undefined also for one that was changed past this service. */
export function currentAuthor(set: Resource): Author | undefined {
  const author = readAuthor(set)
  return author?.generation === set.metadata.generation ? author : undefined
}

/** What `status.authorization` of a set holds. */
export function authorStatus({ subject, projects, generation }: Author): Record<string, unknown> {
  return { subject: subject.sub, groups: [...subject.groups], projects: [...projects], generation }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
