import type { MessageInitShape } from '@bufbuild/protobuf'
import type { FindingFilterSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/findings_pb.ts'
import { nonEmptyText, textList } from '../../words/search-values.ts'

/** The filter and page of the list of findings, from its address. Absent fields do not narrow. */
export interface FindingSearch {
  text?: string | undefined
  severity?: string[] | undefined
  gate?: string[] | undefined
  rule?: string[] | undefined
  project?: string[] | undefined
  repository?: string[] | undefined
  page?: number | undefined
}

/** Reads the address of the list; what it does not understand is left out. */
export function readFindingSearch(search: Record<string, unknown>): FindingSearch {
  const { page } = search
  return {
    text: nonEmptyText(search['text']),
    severity: textList(search['severity']),
    gate: textList(search['gate']),
    rule: textList(search['rule']),
    project: textList(search['project']),
    repository: textList(search['repository']),
    page: typeof page === 'number' && page > 1 ? Math.floor(page) : undefined,
  }
}

/** Returns the filter as the server takes it. */
export function findingFilterOf({
  text = '',
  severity = [],
  gate = [],
  rule = [],
  project = [],
  repository = [],
}: FindingSearch): MessageInitShape<typeof FindingFilterSchema> {
  return { text, severities: severity, gates: gate, rules: rule, projects: project, repositories: repository }
}

/** True if the address narrows the list. */
export function areFindingsNarrowed({ page: _page, ...parts }: FindingSearch): boolean {
  return Object.values(parts).some((part) => part !== undefined)
}

/** Returns a list with a value that it lacks, or without one that it has; undefined for none. */
export function toggled(values: readonly string[] = [], value: string): string[] | undefined {
  const next = values.includes(value) ? values.filter((other) => other !== value) : [...values, value]
  return next.length > 0 ? next : undefined
}
