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
          ← Environments
        </PageLink>
      }
      title={commit?.subject ?? `Dry commit ${sha.slice(0, 7)}`}
      answer={answer}
      beside={answer.data && <LiveMark state={stream} />}
    >
      {commit && (
        <>
          <About commit={commit} repository={repository} />
          <section aria-label="What it changed">
            <Title order={2} size="h4" mb="xs">
              What it changed
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
        <CommitId sha={sha} label="dry commit" repoUrl={repository} />
        <Text size="sm">
          by <GivenText text={authorName(author)} />, <Age time={date} />
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

/** A commit of another repository that led to this one. */
function Reference({ reference }: { reference: DryCommitReference }) {
  const { sha, subject, author, date, repoUrl } = reference
  return (
    <Text size="sm" mt="xs" component="div" style={{ overflowWrap: 'anywhere' }}>
      From <OutsideLink url={repoUrl} words={repoUrl || 'another repository'} />{' '}
      <code>{sha.slice(0, 7)}</code> <GivenText text={subject} />
      {author !== '' && (
        <>
          , by <GivenText text={authorName(author)} />
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
  if (reviewError !== '') return <Warnings title="The review cannot be read now" texts={[reviewError]} />
  if (!review) return null
  const { state, description, targetUrl } = review
  const color = { success: 'teal', pending: 'blue' }[state] ?? 'red'
  return (
    <Group gap="xs" mt="sm">
      <Badge variant="light" color={color} tt="none" miw="max-content">
        Review: {state}
      </Badge>
      <OutsideLink url={targetUrl} words={description} />
      {review.sha !== sha && (
        <Text size="sm" c="dimmed">
          of <code>{review.sha.slice(0, 7)}</code>, which it merged
        </Text>
      )}
    </Group>
  )
}
