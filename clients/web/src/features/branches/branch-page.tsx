import { useQuery } from '@connectrpc/connect-query'
import { Alert, Text } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import { XCircleIcon } from '@primer/octicons-react/XCircleIcon'
import { getRouteApi } from '@tanstack/react-router'
import {
  BranchService,
  type BranchSummary,
  type GetBranchResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { DetailPage } from '../../components/detail-page.tsx'
import { ForgeLink } from '../../components/forge-links.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { KeptTools } from '../../components/kept-tools.tsx'
import { PageLink } from '../../components/links.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { PhaseBadge } from '../../components/phase-badge.tsx'
import { locale } from '../../language/catalogue.ts'
import { t } from '../../language/t.ts'
import { queueRefreshMs, useApplicationUpdates } from '../../server/application-updates.ts'
import { queueWord } from '../../words/queue-word.ts'
import { BranchListings } from './branch-listings.tsx'

const route = getRouteApi('/branch')

/** One hydrated branch: its dry sources, its Applications and its newest commits. */
export function BranchPage() {
  const { repository, branch } = route.useSearch()
  const request = { repoUrl: repository, branch }
  const answer = useQuery(BranchService.method.getBranch, request, {
    refetchInterval: queueRefreshMs,
  })
  const stream = useApplicationUpdates({ branches: [branch] }, [BranchService.method.getBranch])
  const found = answer.data
  return (
    <DetailPage
      back={
        <PageLink to="/branches" size="sm">
          ← {t('All branches')}
        </PageLink>
      }
      title={branch}
      answer={answer}
      beside={
        found && (
          <>
            <PhaseBadge phase={found.branch?.phase ?? ''} />
            <LiveMark state={stream} />
          </>
        )
      }
    >
      {found && (
        <>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {repository}
            <ForgeLink repoUrl={repository} place={{ branch }} label={t('branch {name}', { name: branch })} />
          </Text>
          {found.branch && <Standing summary={found.branch} />}
          <KeptTools
            tools={found.keptTools}
            sources={found.sources.map(({ repoUrl, targetRevision, chart }) => ({
              repoUrl,
              targetRevision,
              isChart: chart !== '',
            }))}
          />
          <BranchTroubles answer={found} />
          <BranchListings answer={found} />
        </>
      )}
    </DetailPage>
  )
}

/** Shows the next steps: in the queue, and from a staging branch to the one that is deployed from. */
function Standing({ summary }: { summary: BranchSummary }) {
  const { queue, branch, syncBranches, pullRequest, pullRequestUrl } = summary
  const others = syncBranches.filter((other) => other !== branch)
  return (
    <>
      {queue !== '' && (
        <Text size="sm">
          {t('In the queue: {place}', { place: queueWord(queue).toLocaleLowerCase(locale) })}
        </Text>
      )}
      {others.length > 0 && (
        <Text size="sm">{t('Deployed from {branches}', { branches: others.join(', ') })}</Text>
      )}
      {pullRequest !== '' && (
        <Text size="sm" component="div">
          {t.rich('Pull request: <link></link>', {
            link: <OutsideLink url={pullRequestUrl} words={pullRequest} />,
          })}
        </Text>
      )}
    </>
  )
}

/** Shows the problems of a branch: a run that failed, a change by somebody else, and what cannot be read. */
function BranchTroubles({ answer: { branch, error, queueError } }: { answer: GetBranchResponse }) {
  const troubles = {
    [t('The newest run failed')]: branch?.message ?? '',
    [t('Branch changed outside Wadi')]: branch?.foreignChange ?? '',
    [t('The branch cannot be read now')]: error,
    [t('The queue cannot be read')]: queueError,
  }
  return Object.entries(troubles).map(([title, text], index) =>
    text === '' ? null : (
      <Alert
        key={title}
        color={index === 0 ? 'red' : 'orange'}
        icon={index === 0 ? <XCircleIcon /> : <AlertIcon />}
        title={title}
      >
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <GivenText text={text} lang="en" />
        </Text>
      </Alert>
    ),
  )
}
