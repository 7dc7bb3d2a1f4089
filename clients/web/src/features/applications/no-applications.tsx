import { PageButton } from '../../components/links.tsx'
import { Code, Group, List, Text } from '@mantine/core'
import { AppsIcon } from '@primer/octicons-react/AppsIcon'
import { SearchIcon } from '@primer/octicons-react/SearchIcon'
import { EmptyState } from '../../components/empty-state.tsx'
import { t } from '../../language/t.ts'

/** Shows the steps to the first hydrated Application in a new installation. */
export function NoApplications({ mayCreate }: { mayCreate: boolean }) {
  if (!mayCreate)
    return (
      <EmptyState
        icon={<AppsIcon size={32} />}
        title={t('No Applications yet')}
        text={t('You may not create one; ask who administers this server.')}
      />
    )
  return (
    <EmptyState
      icon={<AppsIcon size={32} />}
      title={t('No Applications yet')}
      text={
        <>
          {t(
            'An Application names a directory of dry configuration in git, and the branch that its plain manifests are written to.',
          )}
          <List type="ordered" ta="start" mt="md" spacing={4}>
            <List.Item>{t('Store the repository with credentials that may push.')}</List.Item>
            <List.Item>{t('Create an Application; it is hydrated at once.')}</List.Item>
          </List>
        </>
      }
    >
      <Group justify="center">
        <PageButton to="/settings" variant="default">
          1. {t('Add a repository')}
        </PageButton>
        <PageButton to="/applications/new">2. {t('Hydrate the first Application')}</PageButton>
      </Group>
      <Text size="sm">
        {t.rich('From the command line: <code>wadi apply -f FILE</code>', { code: <Code /> })}
      </Text>
    </EmptyState>
  )
}

/** Shows that nothing matches a filter. */
export function NoMatch() {
  return (
    <EmptyState
      icon={<SearchIcon size={32} />}
      title={t('No Application matches')}
      text={t('Remove a part of the filter to see more, or look for something else.')}
    >
      <PageButton to="/applications" search={{}} variant="default">
        {t('Show all')}
      </PageButton>
    </EmptyState>
  )
}
