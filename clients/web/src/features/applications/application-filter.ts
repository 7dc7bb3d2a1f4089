import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ApplicationFilterSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { nonEmptyText, textList } from '../../words/search-values.ts'

/** The filter and order of the list, from its address. Absent fields do not narrow. */
export interface ApplicationListSearch {
  text?: string | undefined
  project?: string[] | undefined
  branch?: string[] | undefined
  /** Phases as users read them in the address; `none` for no phase yet. */
  phase?: string[] | undefined
  set?: string | undefined
  sort?: 'phase' | 'finished' | undefined
  descending?: true | undefined
}

const noPhase = 'none'

/** Reads the address of the list; what it does not understand is left out. */
export function readApplicationFilter(search: Record<string, unknown>): ApplicationListSearch {
  const { sort, descending } = search
  return {
    text: nonEmptyText(search['text']),
    project: textList(search['project']),
    branch: textList(search['branch']),
    phase: textList(search['phase']),
    set: nonEmptyText(search['set']),
    sort: sort === 'phase' || sort === 'finished' ? sort : undefined,
    descending: descending === true ? true : undefined,
  }
}

/** The filter as the server takes it. */
export function filterOf(search: ApplicationListSearch): MessageInitShape<typeof ApplicationFilterSchema> {
  const { text = '', project = [], branch = [], phase = [], set = '' } = search
  return {
    text,
    projects: project,
    branches: branch,
    phases: phase.map(phaseOfWord),
    applicationSet: set,
  }
}

/** Returns true if the address narrows the list. */
export function isNarrowed({ text, project, branch, phase, set }: ApplicationListSearch): boolean {
  return [text, project, branch, phase, set].some((part) => part !== undefined)
}

/** A phase as the address has it. */
export function wordOfPhase(phase: string): string {
  return phase === '' ? noPhase : phase
}

function phaseOfWord(word: string): string {
  return word === noPhase ? '' : word
}
