import { Badge, Stack, Text } from '@mantine/core'
import type { CommitApplication, CommitStage } from '@wadi/protocol/gen/wadi/api_gateway/v1/dry_commits_pb.ts'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { PageLink } from '../../components/links.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { counted } from '../../words/counted.ts'
import { commitOutcome } from './commit-outcome.ts'

/** Applications of a branch that are named; of others the number is shown. */
const maxNamed = 10

const columns: DataTableProps<CommitStage>['columns'] = {
  Branch: (stage) => <Branch stage={stage} />,
  Outcome: (stage) => <Outcome stage={stage} />,
  'Hydrated commit': ({ hydratedSha, hydratedAt, repoUrl }) =>
    hydratedSha === '' ? (
      ''
    ) : (
      <Text size="sm" component="div">
        <CommitId sha={hydratedSha} label="hydrated commit" repoUrl={repoUrl} /> <Age time={hydratedAt} />
      </Text>
    ),
  Applications: (stage) => <Applications stage={stage} />,
  'Gates and signature': (stage) => proofText(stage),
}

/** The branches of a dry commit, each with what the commit did to it. */
export function CommitStages({ stages }: { stages: readonly CommitStage[] }) {
  return (
    <DataTable
      label="Branches"
      rows={stages}
      keyOf={({ repoUrl, branch, targetRevision, promotedFrom }) =>
        [repoUrl, branch, targetRevision, promotedFrom].join(' ')
      }
      columns={columns}
    />
  )
}

function Branch({ stage: { repoUrl, branch, promotedFrom } }: { stage: CommitStage }) {
  if (promotedFrom === '') {
    return (
      <PageLink to="/branch" search={{ repository: repoUrl, branch }} preload={false} size="sm">
        <GivenText text={branch} />
      </PageLink>
    )
  }
  return (
    <>
      <GivenText text={branch} />
      <Text size="xs" c="dimmed">
        merged from <GivenText text={promotedFrom} />
      </Text>
    </>
  )
}

/** The outcome of a commit on a branch, why, and the run that was for it. */
function Outcome({ stage }: { stage: CommitStage }) {
  const { reason, pullRequestUrl, run } = stage
  const { label, color } = commitOutcome(stage)
  return (
    <Stack gap={4} align="flex-start">
      <Badge variant="light" color={color} tt="none" miw="max-content">
        {label}
      </Badge>
      {reason !== '' && (
        <Text size="xs">
          <GivenText text={reason} />
        </Text>
      )}
      {run?.message && run.message !== reason && (
        <Text size="xs">
          <GivenText text={run.message} />
        </Text>
      )}
      {run && (
        <Text size="xs" c="dimmed">
          Newest run: {run.phase.toLowerCase()}, <Age time={run.finishedAt || run.startedAt} />
        </Text>
      )}
      {pullRequestUrl !== '' && <OutsideLink url={pullRequestUrl} words="Pull request" />}
    </Stack>
  )
}

function Applications({ stage }: { stage: CommitStage }) {
  const { applications, moreApplications, outcome } = stage
  const changed = applications.filter((application) => application.changed)
  const more = changed.length - maxNamed
  const others = applications.length - changed.length + moreApplications
  const isHydrated = ['Changed', 'Together', 'Unchanged'].includes(outcome)
  const rest = [
    ...(more > 0 ? [`${counted(more, 'other')} changed`] : []),
    ...(others > 0 ? [`${counted(others, 'Application')}${isHydrated ? ' unchanged' : ''}`] : []),
  ]
  return (
    <Stack gap={2}>
      {changed.slice(0, maxNamed).map((application) => (
        <ChangedApplication
          key={`${application.namespace}/${application.name}`}
          application={application}
          stage={stage}
        />
      ))}
      {rest.length > 0 && (
        <Text size="xs" c="dimmed">
          {rest.join(', ')}
        </Text>
      )}
    </Stack>
  )
}

function ChangedApplication({ application, stage }: { application: CommitApplication; stage: CommitStage }) {
  const { namespace, name } = application
  return (
    <PageLink
      to="/applications/$namespace/$name"
      params={{ namespace, name }}
      search={{ tab: 'changes', commit: stage.hydratedSha }}
      preload={false}
      size="sm"
    >
      <GivenText text={name} />
    </PageLink>
  )
}

/** The findings of gates, and the proof of the hydrated commit, in words. */
function proofText({ applications, proof }: CommitStage): string {
  const findings = applications.reduce((sum, application) => sum + application.findings, 0)
  const parts = [
    ...(findings > 0 ? [counted(findings, 'finding')] : []),
    ...(proof
      ? [
          ...(proof.gates === '' ? [] : [`gates ${proof.gates}`]),
          `signed by ${proof.owner || proof.key || 'an unknown key'}`,
          proof.attested ? 'attested' : 'not attested',
        ]
      : []),
  ]
  return [...new Set(parts)].join(', ')
}
