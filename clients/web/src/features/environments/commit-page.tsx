import { Badge, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { getRouteApi } from '@tanstack/react-router'
import type { DryCommit, DryCommitReference } from '@wadi/protocol/gen/wadi/api_gateway/v1/dry_commits_pb.ts'
import { EnvironmentService } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { DetailPage } from '../../components/detail-page.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { PageLink } from '../../components/links.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { Warnings } from '../../components/warnings.tsx'
import { useApplicationUpdates } from '../../server/application-updates.ts'
import { authorName } from '../../words/author-name.ts'
import { CommitStages } from './commit-stages.tsx'
import { t } from '../../language/t.ts'

const route = getRouteApi('/commit')
const { getDryCommit } = EnvironmentService.method

/** A dry commit: who made it and why, and what it changed on each branch. */
export function CommitPage() {
  const { repository, sha } = route.useSearch()
  const answer = useQuery(getDryCommit, { repoUrl: repository, sha })
  const { commit, stages = [] } = answer.data ?? {}
  const branches = [...new Set(stages.map(({ branch }) => branch))]
  const stream = useApplicationUpdates({ branches }, [getDryCommit])
  return (
    <DetailPage
      back={
        <PageLink to="/environments" search={{ repository }} size="sm">
          ← {t('Environments')}
        </PageLink>
      }
      title={commit?.subject ?? t('Dry commit {sha}', { sha: sha.slice(0, 7) })}
      answer={answer}
      beside={answer.data && <LiveMark state={stream} />}
    >
      {commit && (
        <>
          <About commit={commit} repository={repository} />
          <section aria-label={t('What it changed')}>
            <Title order={2} size="h4" mb="xs">
              {t('What it changed')}
            </Title>
            <CommitStages stages={stages} />
          </section>
        </>
      )}
    </DetailPage>
  )
}

/** The words of a commit about itself. */
function About({ commit, repository }: { commit: DryCommit; repository: string }) {
  const { sha, author, date, body, references } = commit
  return (
    <div>
      <Group gap="xs">
        <CommitId sha={sha} label={t('dry commit')} repoUrl={repository} />
        <Text size="sm">
          <By author={author} />, <Age time={date} />
        </Text>
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <GivenText text={repository} />
      </Text>
      {body.trim() !== '' && (
        <Text size="sm" mt="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <GivenText text={body.trim()} />
        </Text>
      )}
      <Review commit={commit} />
      {references.map((reference) => (
        <Reference key={`${reference.repoUrl} ${reference.sha}`} reference={reference} />
      ))}
    </div>
  )
}

function By({ author }: { author: string }) {
  return t.rich('by <author></author>', { author: <GivenText text={authorName(author)} /> })
}

const reviewWords: Readonly<Record<string, string>> = {
  success: t('success'),
  pending: t('pending'),
  failure: t('failure'),
  error: t('error'),
}

/** A commit of another repository that led to this one. */
function Reference({ reference }: { reference: DryCommitReference }) {
  const { sha, subject, author, date, repoUrl } = reference
  return (
    <Text size="sm" mt="xs" component="div" style={{ overflowWrap: 'anywhere' }}>
      {t.rich('From <link></link>', {
        link: <OutsideLink url={repoUrl} words={repoUrl || t('another repository')} />,
      })}{' '}
      <code>{sha.slice(0, 7)}</code> <GivenText text={subject} />
      {author !== '' && (
        <>
          , <By author={author} />
        </>
      )}
      {date !== '' && (
        <>
          , <Age time={date} />
        </>
      )}
    </Text>
  )
}

/** The review of its changes on the forge. */
function Review({ commit: { sha, review, reviewError } }: { commit: DryCommit }) {
  if (reviewError !== '') return <Warnings title={t('The review cannot be read now')} texts={[reviewError]} />
  if (!review) return null
  const { state, description, targetUrl } = review
  const color = { success: 'teal', pending: 'blue' }[state] ?? 'red'
  return (
    <Group gap="xs" mt="sm">
      <Badge variant="light" color={color} tt="none" miw="max-content">
        {t('Review: {state}', { state: reviewWords[state] ?? state })}
      </Badge>
      <OutsideLink url={targetUrl} words={description} />
      {review.sha !== sha && (
        <Text size="sm" c="dimmed">
          {t.rich('of <code>{sha}</code>, which it merged', { sha: review.sha.slice(0, 7), code: <code /> })}
        </Text>
      )}
    </Group>
  )
}
