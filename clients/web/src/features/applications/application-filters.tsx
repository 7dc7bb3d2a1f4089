import { useQuery } from '@connectrpc/connect-query'
import { Button, Group, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { TextFilter } from '../../components/text-filter.tsx'
import { ValueFilter } from '../../components/value-filter.tsx'
import { t } from '../../language/t.ts'
import { type ApplicationListSearch, isNarrowed } from './application-filter.ts'
import { isMoreChosen, MoreFilters } from './more-filters.tsx'

const route = getRouteApi('/applications')

/** Narrows the list by text and by what Applications have in common, and groups it; the address has it all. */
export function ApplicationFilters() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [isMoreOpen, { toggle }] = useDisclosure(isMoreChosen(search))
  const choices = useQuery(ApplicationService.method.listApplicationChoices, {})
  // Each choice is a step that the browser takes back; of a text that is typed, the first letter is.
  const narrow = (change: ApplicationListSearch) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: 'text' in change && search.text !== undefined,
    })
  const { projects = [], branches = [], applicationSets = [], labels = [] } = choices.data ?? {}
  return (
    <Group gap="sm" role="search" aria-label={t('Applications')}>
      <TextFilter
        label={t('Name, repository or path')}
        text={search.text}
        narrow={(text) => narrow({ text })}
      />
      <ValueFilter
        label={t('Project')}
        data={projects}
        chosen={search.project}
        choose={(project) => narrow({ project })}
      />
      <ValueFilter
        label={t('Branch')}
        data={branches}
        chosen={search.branch}
        choose={(branch) => narrow({ branch })}
      />
      {applicationSets.length > 0 && (
        <Select
          aria-label={t('ApplicationSet')}
          placeholder={t('ApplicationSet')}
          data={applicationSets}
          value={search.set ?? null}
          onChange={(value) => narrow({ set: value ?? undefined })}
          searchable
          clearable
          flex="1 1 150px"
          maw={{ xs: 220 }}
        />
      )}
      {isMoreOpen && <MoreFilters choices={choices.data} search={search} narrow={narrow} />}
      <GroupChoice labels={labels} chosen={search.group} choose={(group) => narrow({ group })} />
      <Button variant="subtle" aria-expanded={isMoreOpen} onClick={toggle}>
        {isMoreOpen ? t('Fewer filters') : t('More filters')}
      </Button>
      {isNarrowed(search) && (
        <Button variant="subtle" onClick={() => void navigate({ search: ({ group }) => ({ group }) })}>
          {t('Clear')}
        </Button>
      )}
    </Group>
  )
}

const fields = [
  { value: 'project', label: t('Project') },
  { value: 'repository', label: t('Repository') },
  { value: 'branch', label: t('Branch') },
  { value: 'cluster', label: t('Cluster') },
  { value: 'destination_namespace', label: t('Namespace') },
  { value: 'application_set', label: t('ApplicationSet') },
  { value: 'findings', label: t('Findings') },
  { value: 'renderer', label: t('Renderer') },
  { value: 'tool', label: t('Tool version') },
]

interface GroupChoiceProps {
  /** The labels of Applications, `key=value`. */
  labels: readonly string[]
  chosen: string | undefined
  choose: (group: string | undefined) => void
}

/** Groups the list by what Applications have in common. */
function GroupChoice({ labels, chosen, choose }: GroupChoiceProps) {
  const keys = new Set(labels.map((label) => label.split('=', 1).join()))
  const chosenKey = chosen?.startsWith('label:') ? chosen.slice('label:'.length) : undefined
  if (chosenKey !== undefined) keys.add(chosenKey)
  const items = [...keys].map((key) => ({ value: `label:${key}`, label: key }))
  const data = items.length > 0 ? [...fields, { group: t('Labels'), items }] : fields
  return (
    <Select
      aria-label={t('Group by')}
      placeholder={t('Group by')}
      data={data}
      value={chosen ?? null}
      onChange={(value) => choose(value ?? undefined)}
      searchable
      clearable
      flex="1 1 150px"
      maw={{ xs: 220 }}
    />
  )
}
