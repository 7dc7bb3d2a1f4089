import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import classes from '../application-list.module.css'
import { t } from '../../../language/t.ts'

interface RowCheckboxProps {
  row: ApplicationSummary
  isChosen: boolean
  toggle: (row: ApplicationSummary) => void
}

/** Chooses an Application of the list; an element of HTML, as all of a row is. */
export function RowCheckbox({ row, isChosen, toggle }: RowCheckboxProps) {
  return (
    <div role="cell" className={classes.select}>
      <input
        type="checkbox"
        aria-label={t('Select {name}', { name: row.name })}
        checked={isChosen}
        onChange={() => toggle(row)}
      />
    </div>
  )
}
