import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { memo } from 'react'
import { type LinePlace, WindowLine } from '../../components/window-lines.tsx'
import classes from './application-list.module.css'
import { ApplicationRow } from './application-row.tsx'
import { RowCheckbox } from './selection/row-checkbox.tsx'
import type { Selection } from './selection/use-selection.ts'
import { t } from '../../language/t.ts'

interface RowProps extends LinePlace {
  row: ApplicationSummary | undefined
  isChosen: boolean
  toggle: Selection['toggle']
}

/** The line of one Application; undefined for one that is not there yet. */
export const Row = memo(({ row, isChosen, toggle, ...line }: RowProps) => (
  <WindowLine {...line} className={`${classes.row} ${classes.item}`}>
    {row ? (
      <>
        <RowCheckbox row={row} isChosen={isChosen} toggle={toggle} />
        <ApplicationRow row={row} />
      </>
    ) : (
      <PendingRow />
    )}
  </WindowLine>
))

function PendingRow() {
  return (
    <div role="cell" className={classes.pending}>
      <Skeleton height={14} width="60%" />
      <VisuallyHidden>{t('Loading')}</VisuallyHidden>
    </div>
  )
}
