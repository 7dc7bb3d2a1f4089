import { Group, Text } from '@mantine/core'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'
import type { BranchSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import { Age } from '../../components/age.tsx'
import { CommitId } from '../../components/commit-id.tsx'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import { ForgeLink } from '../../components/forge-links.tsx'
import { PageLink } from '../../components/links.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { PhaseBadge } from '../../components/phase-badge.tsx'
import { t } from '../../language/t.ts'
import { queueWord } from '../../words/queue-word.ts'

const pullRequestColumn = t('Pull request')
const columns: DataTableProps<BranchSummary>['columns'] = {
  [t('Branch')]: (branch) => <BranchName branch={branch} />,
  [t('Phase')]: (branch) => <BranchPhase branch={branch} />,
  [t('Queue')]: ({ queue }) => queueWord(queue),
  [pullRequestColumn]: ({ pullRequest, pullRequestUrl }) =>
    pullRequest === '' ? '' : <OutsideLink url={pullRequestUrl} words={pullRequest} />,
  [t('Applications')]: ({ applications }) => applications,
  [t('Dry commit')]: ({ drySha }) =>
    // It may be of another repository than the branch.
    drySha === '' ? '' : <CommitId sha={drySha} label={t('dry commit')} repoUrl="" />,
  [t('Age')]: ({ finishedAt, startedAt }) => <Age time={finishedAt || startedAt} />,
}

/** The hydrated branches of a page; pull requests have a column when one of them has one. */
export function BranchTable({ branches }: { branches: readonly BranchSummary[] }) {
  const { [pullRequestColumn]: _pullRequest, ...others } = columns
  const isPulled = branches.some(({ pullRequest }) => pullRequest !== '')
  return (
    <DataTable
      label={t('Branches')}
      rows={branches}
      keyOf={({ repoUrl, branch }) => `${repoUrl} ${branch}`}
      columns={isPulled ? columns : others}
    />
  )
}

function BranchName({ branch: { repoUrl, branch } }: { branch: BranchSummary }) {
  return (
    <>
      <PageLink to="/branch" search={{ repository: repoUrl, branch }} fw={600} size="sm">
        {branch}
      </PageLink>
      <ForgeLink repoUrl={repoUrl} place={{ branch }} label={t('branch {name}', { name: branch })} />
      <Text size="xs" c="dimmed">
        {repoUrl}
      </Text>
    </>
  )
}

function BranchPhase({ branch: { phase, message, foreignChange } }: { branch: BranchSummary }) {
  return (
    <>
      <span title={message}>
        <PhaseBadge phase={phase} />
      </span>
      {foreignChange !== '' && (
        <Group gap={6} mt={4} wrap="nowrap" title={foreignChange}>
          <AlertIcon size={12} fill="var(--mantine-color-orange-text)" />
          <Text size="xs">{t('changed by somebody else')}</Text>
        </Group>
      )}
    </>
  )
}
