import type { ForeignOperation } from './foreign-operation.ts'
import type { Member } from './application-index.ts'

/** Facts about all members of a list. For thousands of members, finding them costs more than the rest of a run that changes one. */
export interface MemberFacts {
  /** The names of their AppProjects, each once. */
  readonly projects: readonly string[]
  /** The AppProject of all members; empty when they have several. */
  readonly commonProject: string
  /** Those that somebody asks a hydration for. */
  readonly requested: readonly Member[]
  /** True if a hard hydration of a member is requested. */
  readonly isHard: boolean
  /** Those that were never hydrated under the spec that they have. */
  readonly unmarked: readonly Member[]
  /** Those that somebody else hydrated. */
  readonly foreign: readonly (Member & { readonly foreignOperation: ForeignOperation })[]
  /** True if a member requests pruning with an annotation. */
  readonly asksForPruning: boolean
  /** True if a member requests with an annotation a hydrated commit for each dry commit. */
  readonly asksForEvery: boolean
}

const facts = new WeakMap<readonly Member[], MemberFacts>()

/** Returns what runs ask of all members of a list, found out once for each list, which is frozen for that. */
export function factsOf(members: readonly Member[]): MemberFacts {
  return facts.getOrInsertComputed(members, () => findFacts(Object.freeze(members)))
}

function findFacts(members: readonly Member[]): MemberFacts {
  const projects = [...new Set(members.map(({ application }) => application.project))]
  const has = (annotation: string, value: string): boolean =>
    members.some(({ application }) => application.annotations[annotation] === value)
  return {
    projects,
    commonProject: projects.length === 1 ? (projects[0] ?? '') : '',
    requested: members.filter(({ request }) => request !== ''),
    isHard: members.some(({ request }) => request === 'hard'),
    unmarked: members.filter(({ markedSpec, currentSpec }) => markedSpec !== currentSpec),
    foreign: members.filter((member) => isForeign(member)),
    asksForPruning: has('wadi.dev/prune', 'true'),
    asksForEvery: has('wadi.dev/lineage', 'every'),
  }
}

function isForeign(member: Member): member is Member & { foreignOperation: ForeignOperation } {
  return member.foreignOperation !== undefined
}
