import type {
  GetParametersResponse,
  Parameter,
  ParameterSection,
} from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { useMemo } from 'react'
import { type ParameterEdits, setValue } from './parameter-edits.ts'
import { editsBySection, openSections, type ValueSection, valueTree } from './value-tree.ts'

/** The number of values of a group up to which its sections begin open. */
const maxOpen = 40

/** The number of fields and sections that are drawn before anybody opens more. */
const maxDrawn = 120

interface Narrowing {
  wanted: string
  onlySet: boolean
}

/** The parameters that are shown, as a tree for each group; typing a value makes no tree again. */
export function useShownGroups(
  { parameters, sections }: GetParametersResponse,
  edits: ParameterEdits,
  { wanted, onlySet }: Narrowing,
) {
  const isNarrowed = wanted.trim() !== '' || onlySet
  const found = useMemo(
    () => parameters.filter((parameter) => matches(parameter, wanted)),
    [parameters, wanted],
  )
  const shown = onlySet ? found.filter((parameter) => setValue(parameter, edits) !== undefined) : found
  const groups = useMemo(
    () => [...Map.groupBy(shown, ({ group }) => group)].map((group) => treeOf(...group, sections)),
    [shown, sections],
  )
  const open = useMemo(() => {
    const opened = groups.filter(({ count }) => isNarrowed || count <= maxOpen)
    return openSections(opened, maxDrawn)
  }, [groups, isNarrowed])
  const counts = useMemo(
    () =>
      editsBySection(
        shown.filter(({ group }) => group === valuesGroup),
        edits,
      ),
    [shown, edits],
  )
  return { groups, open, counts, isNarrowed }
}

/** The group of the values of a chart. */
const valuesGroup = 'values'

/** The values of a chart stand in objects and lists; the names of other groups lead through nothing. */
function treeOf(
  group: string,
  members: readonly Parameter[],
  sections: readonly ParameterSection[],
): ValueSection & { group: string } {
  if (group === valuesGroup) return { group, ...valueTree(members, sections) }
  return { group, name: '', tooltip: '', count: members.length, set: 0, members: [...members] }
}

function matches({ name, title, tooltip }: Parameter, wanted: string): boolean {
  return `${name} ${title} ${tooltip}`.toLowerCase().includes(wanted.trim().toLowerCase())
}
