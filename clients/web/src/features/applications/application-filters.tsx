import { Button, Group, MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { TextFilter } from '../../components/text-filter.tsx'
import { type ApplicationListSearch, isNarrowed } from './application-filter.ts'

const route = getRouteApi('/applications')

/** Narrows the list by text, project, branch and ApplicationSet; the address has it all. */
export function ApplicationFilters() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const choices = useQuery(ApplicationService.method.listApplicationChoices, {})
  // Each choice is a step that the browser takes back; of a text that is typed, the first letter is.
  const narrow = (change: ApplicationListSearch) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: 'text' in change && search.text !== undefined,
    })
  const several = (values: string[]) => (values.length > 0 ? values : undefined)
  const { projects = [], branches = [], applicationSets = [] } = choices.data ?? {}
  return (
    <Group gap="sm" role="search" aria-label="Applications">
      <TextFilter label="Name, repository or path" text={search.text} narrow={(text) => narrow({ text })} />
      <MultiSelect
        aria-label="Project"
        placeholder={search.project ? '' : 'Project'}
        data={projects}
        value={search.project ?? []}
        onChange={(values) => narrow({ project: several(values) })}
        searchable
        clearable
        flex="1 1 150px"
        maw={{ xs: 220 }}
      />
      <MultiSelect
        aria-label="Branch"
        placeholder={search.branch ? '' : 'Branch'}
        data={branches}
        value={search.branch ?? []}
        onChange={(values) => narrow({ branch: several(values) })}
        searchable
        clearable
        flex="1 1 150px"
        maw={{ xs: 260 }}
      />
      {applicationSets.length > 0 && (
        <Select
          aria-label="ApplicationSet"
          placeholder="ApplicationSet"
          data={applicationSets}
          value={search.set ?? null}
          onChange={(value) => narrow({ set: value ?? undefined })}
          searchable
          clearable
          flex="1 1 150px"
          maw={{ xs: 220 }}
        />
      )}
      {isNarrowed(search) && (
        <Button variant="subtle" onClick={() => void navigate({ search: {} })}>
          Clear
        </Button>
      )}
    </Group>
  )
}
