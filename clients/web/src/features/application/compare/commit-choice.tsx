import { Select } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { HistoryEntry } from '@wadi/protocol/gen/wadi/history/v1/history_pb.ts'
import { timeText } from '../../../words/age.ts'
import { ErrorText } from '../../../components/error-text.tsx'
import { visibleText } from '../../../words/visible-text.ts'
import type { ApplicationName } from '../application-name.ts'
import { t } from '../../../language/t.ts'

interface CommitChoiceProps {
  name: ApplicationName
  label: string
  /** Empty for the newest. */
  chosen: string
  choose: (sha: string | undefined) => void
}

const newest = { value: '', label: t('Newest') }

/** Chooses one of the hydrated commits of an Application. */
export function CommitChoice({ name: { namespace, name }, label, chosen, choose }: CommitChoiceProps) {
  const history = useQuery(ApplicationService.method.listHistory, { namespace, name })
  const entries = history.data?.entries ?? []
  const commits = entries.map((entry) => ({ value: entry.hydratedSha, label: commitText(entry) }))
  const isListed = commits.some(({ value }) => value === chosen)
  const ofAddress = chosen === '' || isListed ? [] : [{ value: chosen, label: chosen.slice(0, 7) }]
  return (
    <Select
      label={label}
      data={[newest, ...ofAddress, ...commits]}
      value={chosen}
      onChange={(value) => choose(value || undefined)}
      error={history.isLoadingError && <ErrorText error={history.error} />}
      allowDeselect={false}
      searchable
      nothingFoundMessage={t('No commit matches')}
    />
  )
}

function commitText({ hydratedSha, subject, date }: HistoryEntry): string {
  return `${hydratedSha.slice(0, 7)} ${visibleText(subject)}, ${timeText(date)}`
}
