import { useMutation } from '@tanstack/react-query'
import { showError } from '../../../components/show-error.tsx'
import { t } from '../../../language/t.ts'
import type { ApplicationListSearch } from '../application-filter.ts'
import classes from '../application-list.module.css'
import { maxRows, useFirstRows } from '../application-pages.ts'
import type { Selection } from './use-selection.ts'

interface AllCheckboxProps {
  search: ApplicationListSearch
  total: number
  selection: Selection
}

/**
 * Chooses all Applications of the list, of a long one the first, or none. Its `key` is the list: the answer for a list that is left
 * chooses nothing in the next one.
 */
export function AllCheckbox({ search, total, selection: { rows, choose } }: AllCheckboxProps) {
  const firstRows = useFirstRows(search)
  const { mutate, isPending } = useMutation({ mutationFn: firstRows })
  const chooseAll = () =>
    // Unlike those of `useMutation`, these are not called after the component is gone.
    mutate(undefined, {
      onSuccess: choose,
      onError: (error) => showError(t('Nothing is selected'), error),
    })
  const all = Math.min(total, maxRows)
  const isWhole = rows.size >= all && all > 0
  const label = total > maxRows ? t('Select the first {count, number}', { count: maxRows }) : t('Select all')
  return (
    <div role="columnheader" className={classes.select}>
      <input
        type="checkbox"
        aria-label={label}
        title={label}
        checked={isWhole}
        ref={(box) => {
          if (box) box.indeterminate = rows.size > 0 && !isWhole
        }}
        disabled={isPending}
        onChange={() => (isWhole ? choose([]) : chooseAll())}
      />
    </div>
  )
}
