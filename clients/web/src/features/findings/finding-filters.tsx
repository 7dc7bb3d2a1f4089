import { Button, Group, MultiSelect } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { TextFilter } from '../../components/text-filter.tsx'
import { rulesByCount } from './finding-counts.tsx'
import { areFindingsNarrowed, type FindingSearch } from './finding-search.ts'
import { t } from '../../language/t.ts'
import { byName } from '../../words/by-name.ts'

const route = getRouteApi('/findings')

/** Narrows the list by text, gate, rule, project and repository; the address has it all. */
export function FindingFilters({ rules }: { rules: Readonly<Record<string, number>> }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choices = useQuery(ApplicationService.method.listApplicationChoices, {})
  // Each choice is a step that the browser takes back; of a text that is typed, the first letter is.
  const narrow = (change: FindingSearch) =>
    void navigate({
      search: ({ page: _page, ...before }) => ({ ...before, ...change }),
      replace: 'text' in change && search.text !== undefined,
    })
  const { projects = [], repositories = [] } = choices.data ?? {}
  const ruleNames = rulesByCount(rules).map(([rule]) => rule)
  const gates = [...new Set(ruleNames.map((rule) => rule.split('/', 1).join()))].toSorted(byName)
  return (
    <Group gap="sm" role="search" aria-label={t('Findings')}>
      <TextFilter
        label={t('Application, object, message or file')}
        text={search.text}
        narrow={(text) => narrow({ text })}
      />
      <Choice label={t('Gate')} known={gates} chosen={search.gate} choose={(gate) => narrow({ gate })} />
      <Choice label={t('Rule')} known={ruleNames} chosen={search.rule} choose={(rule) => narrow({ rule })} />
      <Choice
        label={t('Project')}
        known={projects}
        chosen={search.project}
        choose={(project) => narrow({ project })}
      />
      <Choice
        label={t('Repository')}
        known={repositories}
        chosen={search.repository}
        choose={(repository) => narrow({ repository })}
      />
      {areFindingsNarrowed(search) && (
        <Button variant="subtle" onClick={() => void navigate({ search: {} })}>
          {t('Clear')}
        </Button>
      )}
    </Group>
  )
}

interface ChoiceProps {
  label: string
  known: readonly string[]
  chosen: string[] | undefined
  choose: (values: string[] | undefined) => void
}

function Choice({ label, known, chosen = [], choose }: ChoiceProps) {
  return (
    <MultiSelect
      aria-label={label}
      placeholder={chosen.length > 0 ? '' : label}
      // What the address names stays a choice when nothing has it any more.
      data={[...new Set([...known, ...chosen])]}
      value={chosen}
      onChange={(values) => choose(values.length > 0 ? values : undefined)}
      searchable
      clearable
      flex="1 1 150px"
      maw={{ xs: 260 }}
    />
  )
}
