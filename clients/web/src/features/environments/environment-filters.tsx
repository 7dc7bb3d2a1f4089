import { Group, Select } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { EnvironmentSearch } from './environment-search.ts'
import { t } from '../../language/t.ts'

interface EnvironmentFiltersProps {
  search: EnvironmentSearch
  show: (search: EnvironmentSearch) => void
}

/** Narrows the page to a dry repository, to an ApplicationSet, or to both. */
export function EnvironmentFilters({ search, show }: EnvironmentFiltersProps) {
  const { data } = useQuery(ApplicationService.method.listApplicationChoices, {})
  const { repository, set } = search
  return (
    <Group align="flex-start">
      <Select
        aria-label={t('Dry repository')}
        placeholder={t('All dry repositories')}
        data={withChosen(data?.repositories, repository)}
        value={repository ?? null}
        onChange={(chosen) => show({ ...search, repository: chosen ?? undefined, page: undefined })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('Show all dry repositories') }}
        nothingFoundMessage={t('No dry repository matches')}
        w={{ base: '100%', xs: 420 }}
      />
      <Select
        aria-label={t('ApplicationSet')}
        placeholder={t('All ApplicationSets')}
        data={withChosen(data?.applicationSets, set)}
        value={set ?? null}
        onChange={(chosen) => show({ ...search, set: chosen ?? undefined, page: undefined })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('Show all ApplicationSets') }}
        nothingFoundMessage={t('No ApplicationSet matches')}
        w={{ base: '100%', xs: 260 }}
      />
    </Group>
  )
}

/** Returns the choices with that of the address, which may be in another spelling. */
function withChosen(choices: readonly string[] = [], chosen: string | undefined): string[] {
  return chosen === undefined || choices.includes(chosen) ? [...choices] : [chosen, ...choices]
}
