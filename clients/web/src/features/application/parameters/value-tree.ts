import type { Parameter, ParameterSection } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { parseSetName, setName, type ValuePath } from '@wadi/params/values/set-name.ts'
import { noEdits, type ParameterEdits, setValue } from './parameter-edits.ts'

/** The number of members of a section that are drawn at once. */
export const membersShown = 60

/** An object or a list of values with what is below it, in the order of the server. */
export interface ValueSection {
  /** The path of the section; empty for the root. */
  name: string
  tooltip: string
  /** The number of parameters at any depth. */
  count: number
  /** The number of those that are set, without edits. */
  set: number
  members: (Parameter | ValueSection)[]
}

/** Orders parameters by the objects and lists that their names lead through; one without such a name stays at the root. */
export function valueTree(
  parameters: readonly Parameter[],
  explained: readonly Pick<ParameterSection, 'name' | 'tooltip'>[],
): ValueSection {
  const tooltips = new Map(explained.map(({ name, tooltip }) => [name, tooltip]))
  const lineages = new Map<string, readonly ValueSection[]>()
  /** The section at a path below all those that it is in. */
  const lineageOf = (path: ValuePath): readonly ValueSection[] => {
    const name = setName(path)
    const known = lineages.get(name)
    if (known !== undefined) return known
    const section = { name, tooltip: tooltips.get(name) ?? '', count: 0, set: 0, members: [] }
    const above = path.length > 0 ? lineageOf(path.slice(0, -1)) : []
    above.at(-1)?.members.push(section)
    const lineage = [...above, section]
    lineages.set(name, lineage)
    return lineage
  }
  const root: ValueSection = { name: '', tooltip: tooltips.get('') ?? '', count: 0, set: 0, members: [] }
  lineages.set('', [root])
  for (const parameter of parameters) {
    const lineage = lineageOf(sectionPath(parameter))
    lineage.at(-1)?.members.push(parameter)
    const set = Number(isSet(parameter, noEdits))
    for (const section of lineage) {
      section.count += 1
      section.set += set
    }
  }
  return root
}

/** Parameters below a section that are edited, and by how many more of them are set by that. */
interface SectionEdits {
  changed: number
  set: number
}

/** Counts the edits below each section that has any, by its name. */
export function editsBySection(
  parameters: readonly Parameter[],
  edits: ParameterEdits,
): ReadonlyMap<string, SectionEdits> {
  const counts = new Map<string, SectionEdits>()
  for (const parameter of parameters) {
    if (!edits.has(parameter.name)) continue
    const set = Number(isSet(parameter, edits)) - Number(isSet(parameter, noEdits))
    const path = sectionPath(parameter)
    for (const [index] of path.entries()) {
      const name = setName(path.slice(0, index + 1))
      const before = counts.get(name) ?? { changed: 0, set: 0 }
      counts.set(name, { changed: before.changed + 1, set: before.set + set })
    }
  }
  return counts
}

/** Returns the sections below others that begin open: in their order, those with which no more than `max` members are drawn. */
export function openSections(roots: readonly ValueSection[], max: number): ReadonlySet<ValueSection> {
  const open = new Set<ValueSection>()
  let left = max
  const draw = ({ members }: ValueSection) => {
    left -= Math.min(members.length, membersShown)
    for (const member of members.slice(0, membersShown)) {
      if (!isSection(member) || Math.min(member.members.length, membersShown) > left) continue
      open.add(member)
      draw(member)
    }
  }
  for (const root of roots) draw(root)
  return open
}

/** True if a member of a section is one itself. */
export function isSection(member: Parameter | ValueSection): member is ValueSection {
  return 'members' in member
}

function sectionPath({ name }: Parameter): ValuePath {
  return parseSetName(name)?.slice(0, -1) ?? []
}

function isSet(parameter: Parameter, edits: ParameterEdits): boolean {
  return setValue(parameter, edits) !== undefined
}
