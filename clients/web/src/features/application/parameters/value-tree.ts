import type { Parameter, ParameterSection } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { parseSetName, setName, type ValuePath } from '@wadi/params/values/set-name.ts'

/** An object or a list of values with what is below it, in the order of the server. */
export interface ValueSection {
  /** The path of the section; empty for the root. */
  name: string
  tooltip: string
  /** The number of parameters at any depth. */
  count: number
  members: (Parameter | ValueSection)[]
}

/** Orders parameters by the objects and lists that their names lead through; one without such a name stays at the root. */
export function valueTree(
  parameters: readonly Parameter[],
  explained: readonly Pick<ParameterSection, 'name' | 'tooltip'>[],
): ValueSection {
  const tooltips = new Map(explained.map(({ name, tooltip }) => [name, tooltip]))
  const sections = new Map<string, ValueSection>()
  const sectionAt = (path: ValuePath): ValueSection => {
    const name = setName(path)
    const known = sections.get(name)
    if (known !== undefined) return known
    const section = { name, tooltip: tooltips.get(name) ?? '', count: 0, members: [] }
    sections.set(name, section)
    if (path.length > 0) sectionAt(path.slice(0, -1)).members.push(section)
    return section
  }
  const root = sectionAt([])
  for (const parameter of parameters) {
    const above = parseSetName(parameter.name)?.slice(0, -1) ?? []
    sectionAt(above).members.push(parameter)
    for (let depth = 0; depth <= above.length; depth += 1) sectionAt(above.slice(0, depth)).count += 1
  }
  return root
}

/** True if a member of a section is one itself. */
export function isSection(member: Parameter | ValueSection): member is ValueSection {
  return 'members' in member
}

/** Returns all parameters of a section. */
export function parametersOf({ members }: ValueSection): Parameter[] {
  return members.flatMap((member) => (isSection(member) ? parametersOf(member) : [member]))
}
