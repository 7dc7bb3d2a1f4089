import { Code } from '@mantine/core'
import { QuestionIcon } from '@primer/octicons-react/QuestionIcon'
import { useRouterState } from '@tanstack/react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { PageButton } from '../components/links.tsx'
import { PageTitle } from '../components/page-title.tsx'

/** Stands in for a page that does not exist. */
export function PageMissing() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <>
      <PageTitle title="Page not found" />
      <EmptyState
        icon={<QuestionIcon size={32} />}
        title="No page at this address"
        text={
          <>
            The console has no <Code style={{ overflowWrap: 'anywhere' }}>{path}</Code>. The address may be
            mistyped, or the link incomplete.
          </>
        }
      >
        <PageButton to="/applications">Show the Applications</PageButton>
      </EmptyState>
    </>
  )
}
