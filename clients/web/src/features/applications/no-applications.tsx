import { PageButton } from '../../components/links.tsx'
import { Code } from '@mantine/core'
import { AppsIcon } from '@primer/octicons-react/AppsIcon'
import { SearchIcon } from '@primer/octicons-react/SearchIcon'
import { EmptyState } from '../../components/empty-state.tsx'

/** What a new installation shows. */
export function NoApplications({ mayCreate }: { mayCreate: boolean }) {
  return (
    <EmptyState
      icon={<AppsIcon size={32} />}
      title="No Applications yet"
      text={
        <>
          An Application names a directory of dry configuration in git, and the branch that its plain
          manifests are written to.
          {!mayCreate && ' You may not create one; ask who administers this server.'} From the command line:{' '}
          <Code>wadi apply -f FILE</Code>
        </>
      }
    >
      {mayCreate && <PageButton to="/applications/new">Hydrate the first Application</PageButton>}
    </EmptyState>
  )
}

/** What a filter shows that nothing matches. */
export function NoMatch() {
  return (
    <EmptyState
      icon={<SearchIcon size={32} />}
      title="No Application matches"
      text="Remove a part of the filter to see more, or look for something else."
    >
      <PageButton to="/applications" search={{}} variant="default">
        Show all
      </PageButton>
    </EmptyState>
  )
}
