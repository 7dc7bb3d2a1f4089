import { PageButton } from '../components/links.tsx'
import { QuestionIcon } from '@primer/octicons-react/QuestionIcon'
import { EmptyState } from '../components/empty-state.tsx'

/** Stands in for a page that does not exist. */
export function PageMissing() {
  return (
    <EmptyState
      icon={<QuestionIcon size={32} />}
      title="There is no such page"
      text="The address may be mistyped."
    >
      <PageButton to="/applications">Show the Applications</PageButton>
    </EmptyState>
  )
}
