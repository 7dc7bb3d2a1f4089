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
  /** Labels, `key=value`. */
  label?: string[] | undefined
  repository?: string[] | undefined
  cluster?: string[] | undefined
  /** Namespaces of the cluster. */
  namespace?: string[] | undefined
  /** Severities of findings; `none` for Applications without any. */
  finding?: string[] | undefined
  /** Renderers; `none` for Applications of which none is known. */
  renderer?: string[] | undefined
  /** Tools with their versions; `none` for Applications without any. */
  tool?: string[] | undefined
  /** The groups of the list as the server takes them. */
  group?: string | undefined
  sort?: 'phase' | 'finished' | undefined
  descending?: true | undefined
}

/** An empty value in the address: no phase yet, no findings, no known renderer or no tool. */
const none = 'none'

/** Reads the address of the list; what it does not understand is left out. */
export function readApplicationFilter(search: Record<string, unknown>): ApplicationListSearch {
  const { sort, descending } = search
  return {
    text: nonEmptyText(search['text']),
    project: textList(search['project']),
    branch: textList(search['branch']),
    phase: textList(search['phase']),
    set: nonEmptyText(search['set']),
    label: textList(search['label']),
    repository: textList(search['repository']),
    cluster: textList(search['cluster']),
    namespace: textList(search['namespace']),
    finding: textList(search['finding']),
    renderer: textList(search['renderer']),
    tool: textList(search['tool']),
    group: nonEmptyText(search['group']),
    sort: sort === 'phase' || sort === 'finished' ? sort : undefined,
    descending: descending === true ? true : undefined,
  }
}

/** The filter as the server takes it. */
export function filterOf(search: ApplicationListSearch): MessageInitShape<typeof ApplicationFilterSchema> {
  const { text = '', project = [], branch = [], phase = [], set = '' } = search
  const { label = [], repository = [], cluster = [], namespace = [], finding = [] } = search
  const { renderer = [], tool = [] } = search
  return {
    text,
    projects: project,
    branches: branch,
    phases: phase.map(valueOfWord),
    applicationSet: set,
    selector: selectorOf(label),
    repositories: repository,
    clusters: cluster,
    destinationNamespaces: namespace,
    severities: finding.map(valueOfWord),
    renderers: renderer.map(valueOfWord),
    tools: tool.map(valueOfWord),
  }
}

/** Returns the selector of Applications that have one of the values of each label. */
function selectorOf(labels: readonly string[]): string {
  const byKey = Map.groupBy(labels, (label) => label.split('=', 1).join())
  return [...byKey]
    .map(([key, pairs]) => `${key} in (${pairs.map((pair) => pair.slice(key.length + 1)).join(',')})`)
    .join(',')
}

/** Returns true if the address narrows the list. */
export function isNarrowed(search: ApplicationListSearch): boolean {
  const { sort: _sort, descending: _descending, group: _group, ...parts } = search
  return Object.values(parts).some((part) => part !== undefined)
}

/** Returns the part of the address that narrows the list to a group; undefined where nothing does. */
export function narrowedToGroup(group: string, value: string): ApplicationListSearch | undefined {
  if (group === 'findings') return { finding: [value || none] }
  if (group === 'renderer' || group === 'tool') return { [group]: [value || none] }
  if (value === '') return undefined
  if (group.startsWith('label:')) return { label: [`${group.slice('label:'.length)}=${value}`] }
  if (group === 'application_set') return { set: value }
  if (group === 'destination_namespace') return { namespace: [value] }
  return { [group]: [value] }
}

/** A value that may be empty as the address has it. */
export function wordOfValue(value: string): string {
  return value === '' ? none : value
}

function valueOfWord(word: string): string {
  return word === none ? '' : word
}
