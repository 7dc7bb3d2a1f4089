import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { memo, type ReactNode } from 'react'
import classes from './application-list.module.css'
import { ApplicationRow } from './application-row.tsx'
import { RowCheckbox } from './selection/row-checkbox.tsx'
import type { Selection } from './selection/use-selection.ts'

interface LineProps {
  index: number
  /** Its start and height, in pixels. */
  start: number
  size: number
}

/** A line of the list at its place; its cells are the children. */
export function Line({ index, start, size, children }: LineProps & { children: ReactNode }) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`${classes.row} ${classes.item}`}
      style={{ height: size, transform: `translateY(${start}px)` }}
    >
      {children}
    </div>
  )
}

interface RowProps extends LineProps {
  row: ApplicationSummary | undefined
  isChosen: boolean
  toggle: Selection['toggle']
}

/** The line of one Application; undefined for one that is not there yet. */
export const Row = memo(({ row, isChosen, toggle, ...line }: RowProps) => (
  <Line {...line}>
    {row ? (
      <>
        <RowCheckbox row={row} isChosen={isChosen} toggle={toggle} />
        <ApplicationRow row={row} />
      </>
    ) : (
      <PendingRow />
    )}
  </Line>
))

function PendingRow() {
  return (
    <div role="cell" className={classes.pending}>
      <Skeleton height={14} width="60%" />
      <VisuallyHidden>Loading</VisuallyHidden>
    </div>
  )
}
