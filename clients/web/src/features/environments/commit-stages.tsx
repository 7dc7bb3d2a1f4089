import { Badge, Stack, Text } from '@mantine/core'
import type { CommitApplication, CommitStage } from '@wadi/protocol/gen/wadi/api_gateway/v1/dry_commits_pb.ts'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { GivenText } from '../../components/given-text.tsx'
import { PageLink } from '../../components/links.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { commitOutcome } from './commit-outcome.ts'
import { t } from '../../language/t.ts'
import { phaseLook } from '../../components/phase-badge.tsx'

/** Applications of a branch that are named; of others the number is shown. */
const maxNamed = 10

const columns: DataTableProps<CommitStage>['columns'] = {
  [t('Branch')]: (stage) => <Branch stage={stage} />,
  [t('Outcome')]: (stage) => <Outcome stage={stage} />,
  [t('Hydrated commit')]: ({ hydratedSha, hydratedAt, repoUrl }) =>
    hydratedSha === '' ? (
      ''
    ) : (
      <Text size="sm" component="div">
        <CommitId sha={hydratedSha} label={t('hydrated commit')} repoUrl={repoUrl} />{' '}
        <Age time={hydratedAt} />
      </Text>
    ),
  [t('Applications')]: (stage) => <Applications stage={stage} />,
  [t('Gates and signature')]: (stage) => proofText(stage),
}

/** The branches of a dry commit, each with what the commit did to it. */
export function CommitStages({ stages }: { stages: readonly CommitStage[] }) {
  return (
    <DataTable
      label={t('Branches')}
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
        {t.rich('merged from <branch></branch>', { branch: <GivenText text={promotedFrom} /> })}
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
          <GivenText text={reason} lang="en" />
        </Text>
      )}
      {run?.message && run.message !== reason && (
        <Text size="xs">
          <GivenText text={run.message} lang="en" />
        </Text>
      )}
      {run && (
        <Text size="xs" c="dimmed">
          {t('Newest run: {phase}', { phase: phaseLook(run.phase).label.toLowerCase() })},{' '}
          <Age time={run.finishedAt || run.startedAt} />
        </Text>
      )}
      {pullRequestUrl !== '' && <OutsideLink url={pullRequestUrl} words={t('Pull request')} />}
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
    ...(more > 0
      ? [t('{count, plural, one {# other changed} other {# others changed}}', { count: more })]
      : []),
    ...(others > 0 ? [othersText(others, isHydrated)] : []),
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

function othersText(count: number, isHydrated: boolean): string {
  return isHydrated
    ? t('{count, plural, one {# Application unchanged} other {# Applications unchanged}}', { count })
    : t('{count, plural, one {# Application} other {# Applications}}', { count })
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
    ...(findings > 0 ? [t('{count, plural, one {# finding} other {# findings}}', { count: findings })] : []),
    ...(proof
      ? [
          ...(proof.gates === '' ? [] : [t('gates {outcome}', { outcome: proof.gates })]),
          t('signed by {signer}', { signer: proof.owner || proof.key || t('an unknown key') }),
          proof.attested ? t('attested') : t('not attested'),
        ]
      : []),
  ]
  return [...new Set(parts)].join(', ')
}
