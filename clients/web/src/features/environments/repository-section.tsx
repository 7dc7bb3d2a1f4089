import { Group, Text, Title } from '@mantine/core'
import type { Environments } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { useId } from 'react'
import { GivenText } from '../../components/given-text.tsx'
import { PageLink } from '../../components/links.tsx'
import { Warnings } from '../../components/warnings.tsx'
import type { EnvironmentSearch } from './environment-search.ts'
import { repositoryName } from './stage-words.ts'
import { Travel } from './travel.tsx'
import { t } from '../../language/t.ts'

interface RepositorySectionProps {
  environments: Environments
  search: EnvironmentSearch
}

function commitsText(count: number, hasMore: boolean): string {
  return hasMore
    ? t('{count, plural, one {# dry commit of more} other {# dry commits of more}}', { count })
    : t('{count, plural, one {# dry commit} other {# dry commits}}', { count })
}

/** The stages of one dry repository with the commits on their way. */
export function RepositorySection({ environments, search }: RepositorySectionProps) {
  const { repoUrl, chart, stages, commits, hasMore, moreStages, commitsError, branchesError } = environments
  const heading = useId()
  const repository = repositoryName(repoUrl)
  const name = chart === '' ? repository : t('{name} of {place}', { name: chart, place: repository })
  const isAlone = search.repository !== undefined
  const counts = [
    t('{count, plural, one {# stage} other {# stages}}', { count: stages.length + moreStages }),
    ...(commits.length === 0 ? [] : [commitsText(commits.length, hasMore)]),
    ...(moreStages === 0
      ? []
      : [t('{count, plural, one {# stage not shown} other {# stages not shown}}', { count: moreStages })]),
  ]
  return (
    <section aria-labelledby={heading}>
      <Group justify="space-between" align="baseline" mb="xs" gap="xs">
        <div>
          <Title order={2} size="h4" id={heading} style={{ overflowWrap: 'anywhere' }}>
            {isAlone ? (
              <GivenText text={name} />
            ) : (
              <PageLink
                to="/environments"
                search={{ ...search, repository: repoUrl, page: undefined }}
                inherit
              >
                <GivenText text={name} />
              </PageLink>
            )}
          </Title>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            <GivenText text={repoUrl} />
          </Text>
        </div>
        <Text size="sm" c="dimmed">
          {counts.join(' · ')}
        </Text>
      </Group>
      <Warnings title={t('The dry commits cannot be read now')} texts={[commitsError].filter(Boolean)} />
      <Warnings title={t('Promoted branches cannot be read now')} texts={[branchesError].filter(Boolean)} />
      <Travel environments={environments} label={name} />
    </section>
  )
}
