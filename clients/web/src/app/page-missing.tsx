import { Code } from '@mantine/core'
import { QuestionIcon } from '@primer/octicons-react/QuestionIcon'
import { useRouterState } from '@tanstack/react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { PageButton } from '../components/links.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { t } from '../language/t.ts'

/** Stands in for a page that does not exist. */
export function PageMissing() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <>
      <PageTitle title={t('Page not found')} />
      <EmptyState
        icon={<QuestionIcon size={32} />}
        title={t('No page at this address')}
        text={t.rich(
          'The console has no <code>{path}</code>. The address may be mistyped, or the link incomplete.',
          {
            path,
            code: <Code style={{ overflowWrap: 'anywhere' }} />,
          },
        )}
      >
        <PageButton to="/applications">{t('Show the Applications')}</PageButton>
      </EmptyState>
    </>
  )
}
