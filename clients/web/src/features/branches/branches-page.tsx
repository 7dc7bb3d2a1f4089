import { Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useQuery } from '@connectrpc/connect-query'
import { GitBranchIcon } from '@primer/octicons-react/GitBranchIcon'
import { SearchIcon } from '@primer/octicons-react/SearchIcon'
import { getRouteApi } from '@tanstack/react-router'
import { BranchService } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageButton } from '../../components/links.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageChoice } from '../../components/page-choice.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Warnings } from '../../components/warnings.tsx'
import { queueRefreshMs, useApplicationUpdates } from '../../server/application-updates.ts'
import { BranchTable } from './branch-table.tsx'
import { t } from '../../language/t.ts'

const route = getRouteApi('/branches')
const pageSize = 50
const typingPauseMs = 200

/** The hydrated branches with their newest run and their place in the queue. */
export function BranchesPage() {
  const { text = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const request = { text, offset: (page - 1) * pageSize, limit: pageSize }
  const answer = useQuery(BranchService.method.listBranches, request, {
    placeholderData: keepPreviousData,
    refetchInterval: queueRefreshMs,
  })
  const stream = useApplicationUpdates({}, [BranchService.method.listBranches])
  const narrow = useDebouncedCallback(
    (value: string) => void navigate({ search: { text: value || undefined }, replace: text !== '' }),
    typingPauseMs,
  )
  return (
    <Stack>
      <PageTitle title={t('Branches')}>
        <LiveMark state={stream} />
      </PageTitle>
      <TextInput
        aria-label={t('Repository or branch')}
        placeholder={t('Repository or branch')}
        leftSection={<SearchIcon />}
        defaultValue={text}
        onChange={({ currentTarget }) => narrow(currentTarget.value)}
        maw={320}
      />
      {answer.isPending && <Loading />}
      {answer.isError && (
        <ErrorState
          title={t('The branches cannot be listed')}
          error={answer.error}
          retry={() => void answer.refetch()}
        />
      )}
      {answer.data?.total === 0 && <NoBranches isNarrowed={text !== ''} />}
      {answer.data && (
        <Warnings title={t('The queue cannot be read')} texts={[answer.data.queueError].filter(Boolean)} />
      )}
      {answer.data !== undefined && answer.data.total > 0 && (
        <>
          <BranchTable branches={answer.data.branches} />
          <PageChoice
            total={answer.data.total}
            count={t('{count, plural, one {# branch} other {# branches}}', { count: answer.data.total })}
            pageSize={pageSize}
            page={page}
            turn={(next) => void navigate({ search: (before) => ({ ...before, page: next }) })}
          />
        </>
      )}
    </Stack>
  )
}

function NoBranches({ isNarrowed }: { isNarrowed: boolean }) {
  return (
    <EmptyState
      icon={<GitBranchIcon size={32} />}
      title={isNarrowed ? t('No branch matches') : t('No hydrated branches yet')}
      text={t('A branch is listed as soon as an Application is hydrated to it.')}
    >
      {!isNarrowed && <PageButton to="/applications">{t('Show the Applications')}</PageButton>}
    </EmptyState>
  )
}
