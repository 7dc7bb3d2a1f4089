import { Button, Group } from '@mantine/core'
import type { HistoryEntry } from '@wadi/protocol/gen/wadi/history/v1/history_pb.ts'
import { PageLink } from '../../components/links.tsx'
import { useRight } from '../../server/rights.ts'
import type { ApplicationName } from './application-name.ts'
import type { ApplicationState } from './application-state.ts'
import { t } from '../../language/t.ts'

interface EntryActionsProps {
  name: ApplicationName
  state: ApplicationState
  entry: HistoryEntry
  goBack: (drySha: string) => void
}

/** Compares a former hydrated commit with the newest, and goes back to its dry commit, for who may change the Application. */
export function EntryActions({ name, state, entry, goBack }: EntryActionsProps) {
  const { hydratedSha, drySha, foreign } = entry
  const mayChange = useRight('applications', 'update', `${state.project}/${name.name}`)
  const isInGit = state.sources.length === 1 && state.dryRepoUrl !== ''
  return (
    <Group gap="xs">
      <PageLink
        to="/applications/$namespace/$name"
        params={name}
        search={{ tab: 'compare', from: hydratedSha }}
        size="sm"
        aria-label={t('Compare {sha} with the newest', { sha: hydratedSha.slice(0, 7) })}
      >
        {t('Compare')}
      </PageLink>
      {mayChange && isInGit && !foreign && drySha !== '' && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('Go back to this: dry commit {sha}', { sha: drySha.slice(0, 7) })}
          onClick={() => goBack(drySha)}
        >
          {t('Go back to this')}
        </Button>
      )}
    </Group>
  )
}
