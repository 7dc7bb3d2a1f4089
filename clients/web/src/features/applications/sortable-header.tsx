import { UnstyledButton } from '@mantine/core'
import { ChevronDownIcon } from '@primer/octicons-react/ChevronDownIcon'
import { ChevronUpIcon } from '@primer/octicons-react/ChevronUpIcon'
import { getRouteApi } from '@tanstack/react-router'
import classes from './application-list.module.css'
import type { ApplicationListSearch } from './application-filter.ts'

const route = getRouteApi('/applications')

/** The heading of a column that orders the list, and turns the order around when it does already. */
export function SortableHeader({ label, sort }: { label: string; sort?: ApplicationListSearch['sort'] }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const isChosen = search.sort === sort
  const isDescending = search.descending === true
  const order = () => {
    const descending = isChosen && !isDescending ? true : undefined
    void navigate({ search: (before) => ({ ...before, sort, descending }), replace: true })
  }
  return (
    <div role="columnheader" aria-sort={isChosen ? (isDescending ? 'descending' : 'ascending') : 'none'}>
      <UnstyledButton onClick={order} className={classes.sort}>
        {label}
        {isChosen && (isDescending ? <ChevronDownIcon size={12} /> : <ChevronUpIcon size={12} />)}
      </UnstyledButton>
    </div>
  )
}
