import { Button, CloseButton, Group, MultiSelect, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@connectrpc/connect-query'
import { SearchIcon } from '@primer/octicons-react/SearchIcon'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useState } from 'react'
import { type ApplicationListSearch, isNarrowed } from './application-filter.ts'

const route = getRouteApi('/applications')
const typingPauseMs = 200

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
      <TextFilter text={search.text ?? ''} narrow={narrow} />
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

interface TextFilterProps {
  text: string
  narrow: (change: ApplicationListSearch) => void
}

function TextFilter({ text, narrow }: TextFilterProps) {
  const [typed, setTyped] = useState(text)
  const [shown, setShown] = useState(text)
  // The address changed otherwise than by typing here: by a link or by going back.
  if (shown !== text) {
    setShown(text)
    setTyped(text)
  }
  const apply = useDebouncedCallback((value: string) => {
    setShown(value)
    narrow({ text: value || undefined })
  }, typingPauseMs)
  const change = (value: string) => {
    setTyped(value)
    apply(value)
  }
  return (
    <TextInput
      aria-label="Name, repository or path"
      placeholder="Name, repository or path"
      leftSection={<SearchIcon />}
      value={typed}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      rightSection={
        typed !== '' && <CloseButton size="sm" aria-label="Clear the text" onClick={() => change('')} />
      }
      flex="2 1 220px"
      maw={{ xs: 320 }}
    />
  )
}
