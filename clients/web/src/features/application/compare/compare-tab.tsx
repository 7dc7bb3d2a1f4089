import { useQuery } from '@connectrpc/connect-query'
import { Alert, Fieldset, Select, SimpleGrid, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading } from '../../../components/loading.tsx'
import { ObjectChanges } from '../../../components/object-changes.tsx'
import { t } from '../../../language/t.ts'
import type { ApplicationName } from '../application-name.ts'
import type { ApplicationState } from '../application-state.ts'
import type { ApplicationSearch } from '../application-tab.ts'
import { CommitChoice } from './commit-choice.tsx'

const route = getRouteApi('/applications/$namespace/$name')

interface CompareTabProps {
  name: ApplicationName
  state: ApplicationState
}

/** Compares two hydrated commits of the Application, or one with that of another Application, such as that of another environment. */
export function CompareTab({ name, state }: CompareTabProps) {
  const { from = '', to = '', other } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (change: Partial<ApplicationSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) })
  const [namespace = '', otherName = ''] = other?.split('/') ?? [name.namespace, name.name]
  const after = { namespace, name: otherName }
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Fieldset legend={t('Before')}>
          <CommitChoice
            name={name}
            chosen={from}
            choose={(sha) => show({ from: sha })}
            label={t('Commit of {name}', { name: name.name })}
          />
        </Fieldset>
        <Fieldset legend={t('After')}>
          <Stack gap="xs">
            <OtherApplication
              name={name}
              repoUrl={state.sources[0]?.repoUrl ?? ''}
              chosen={other}
              choose={(chosen) => show({ other: chosen, to: undefined })}
            />
            <CommitChoice
              name={after}
              chosen={to}
              choose={(sha) => show({ to: sha })}
              label={t('Commit of {name}', { name: otherName })}
            />
          </Stack>
        </Fieldset>
      </SimpleGrid>
      <Difference before={{ ...name, hydratedSha: from }} after={{ ...after, hydratedSha: to }} />
    </Stack>
  )
}

interface Side extends ApplicationName {
  /** Empty for the newest. */
  hydratedSha: string
}

function Difference({ before, after }: { before: Side; after: Side }) {
  const answer = useQuery(ApplicationService.method.compareManifests, { before, after }, { retry: false })
  if (answer.isPending) return <Loading />
  if (answer.isLoadingError)
    return (
      <ErrorState
        title={t('The manifests cannot be compared')}
        error={answer.error}
        retry={() => void answer.refetch()}
      />
    )
  const { objects, beforeSha, afterSha } = answer.data
  if (objects.length === 0)
    return (
      <Alert title={t('The manifests are the same')}>
        {beforeSha === afterSha
          ? t('Both sides are one commit: choose another one.')
          : t('No object differs.')}
      </Alert>
    )
  return <ObjectChanges objects={objects} />
}

const typingPauseMs = 150
const maxOffered = 20
const maxTextLength = 256

interface OtherApplicationProps {
  name: ApplicationName
  /** The dry repository whose Applications are offered before anything is typed. */
  repoUrl: string
  /** `namespace/name`; undefined for the Application itself. */
  chosen: string | undefined
  choose: (other: string | undefined) => void
}

/** Chooses the Application that one is compared with: itself, one of the same dry repository, or any other by its name. */
function OtherApplication({ name, repoUrl, chosen, choose }: OtherApplicationProps) {
  const own = `${name.namespace}/${name.name}`
  const value = chosen ?? own
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim().slice(0, maxTextLength), typingPauseMs)
  const isSearch = text !== '' && text !== value
  const answer = useQuery(
    ApplicationService.method.searchApplications,
    { filter: isSearch ? { text } : { repositories: [repoUrl] }, limit: maxOffered },
    { placeholderData: keepPreviousData },
  )
  const found = answer.data?.applications.map((one) => `${one.namespace}/${one.name}`) ?? []
  return (
    <Select
      label={t('Application')}
      description={t('This one, or that of another environment')}
      data={[...new Set([own, value, ...found])]}
      value={value}
      onChange={(next) => choose(next === null || next === own ? undefined : next)}
      onSearchChange={setTyped}
      // The server has searched paths and repositories, too.
      filter={({ options }) => options}
      allowDeselect={false}
      searchable
    />
  )
}
