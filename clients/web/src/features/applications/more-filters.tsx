import type { ListApplicationChoicesResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { severities, severityLook } from '../../components/severity-badge.tsx'
import { type ApplicationListSearch, wordOfValue } from './application-filter.ts'
import { ValueFilter } from '../../components/value-filter.tsx'
import { t } from '../../language/t.ts'

const findingChoices = [
  ...severities.map((severity) => ({ value: severity, label: severityLook(severity).label })),
  { value: wordOfValue(''), label: t('No findings') },
]

/** Says that nothing is known about how an Application is rendered. */
export const unknownRenderer = t('Renderer not known yet')
/** Says that an Application is rendered without a tool. */
export const withoutTool = t('No tool')

interface MoreFiltersProps {
  choices: ListApplicationChoicesResponse | undefined
  search: ApplicationListSearch
  narrow: (change: ApplicationListSearch) => void
}

/** Returns true if the list is narrowed by one of `MoreFilters`. */
export function isMoreChosen({
  label,
  repository,
  cluster,
  namespace,
  finding,
  renderer,
  tool,
}: ApplicationListSearch): boolean {
  return [label, repository, cluster, namespace, finding, renderer, tool].some((part) => part !== undefined)
}

/** The filters that are not always in sight: labels, dry repositories, clusters, their namespaces, findings, renderers and tools. */
export function MoreFilters({ choices, search, narrow }: MoreFiltersProps) {
  const { renderers = [], tools = [] } = choices ?? {}
  const { labels = [], repositories = [], clusters = [], destinationNamespaces = [] } = choices ?? {}
  return (
    <>
      <ValueFilter
        label={t('Label')}
        data={labels}
        chosen={search.label}
        choose={(label) => narrow({ label })}
      />
      <ValueFilter
        label={t('Repository')}
        data={repositories}
        chosen={search.repository}
        choose={(repository) => narrow({ repository })}
      />
      <ValueFilter
        label={t('Cluster')}
        data={clusters}
        chosen={search.cluster}
        choose={(cluster) => narrow({ cluster })}
      />
      <ValueFilter
        label={t('Namespace')}
        data={destinationNamespaces}
        chosen={search.namespace}
        choose={(namespace) => narrow({ namespace })}
      />
      <ValueFilter
        label={t('Findings')}
        data={findingChoices}
        chosen={search.finding}
        choose={(finding) => narrow({ finding })}
      />
      <ValueFilter
        label={t('Renderer')}
        data={[...renderers, { value: wordOfValue(''), label: unknownRenderer }]}
        chosen={search.renderer}
        choose={(renderer) => narrow({ renderer })}
      />
      <ValueFilter
        label={t('Tool version')}
        data={[...tools, { value: wordOfValue(''), label: withoutTool }]}
        chosen={search.tool}
        choose={(tool) => narrow({ tool })}
      />
    </>
  )
}
