import { Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { memo, useEffect, useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { counted } from '../../words/counted.ts'
import type { ApplicationListSearch } from './application-filter.ts'
import classes from './application-list.module.css'
import { useApplicationCounts, useApplicationRows } from './application-pages.ts'
import { ApplicationRow } from './application-row.tsx'
import { SortableHeader } from './sortable-header.tsx'

const wideRow = 45
const narrowRow = 77
const rowsBeyond = 8
const rowsWhilePending = 12

/** The table of Applications; only the rows in sight are drawn. */
export function ApplicationList({ search }: { search: ApplicationListSearch }) {
  const { total, isPending } = useApplicationCounts(search)
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {isPending ? 'Loading' : counted(total, 'Application')}
      </Text>
      <div role="table" aria-label="Applications" aria-rowcount={total + 1} className={classes.table}>
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={1} className={classes.row}>
            <SortableHeader label="Name" />
            <SortableHeader label="Phase" sort="phase" />
            <div role="columnheader">Project</div>
            <div role="columnheader">Branch</div>
            <div role="columnheader">Dry commit</div>
            <SortableHeader label="Age" sort="finished" />
          </div>
        </div>
        <Rows search={search} count={isPending ? rowsWhilePending : total} />
      </div>
    </>
  )
}

/** All that is drawn again while scrolling. */
function Rows({ search, count }: { search: ApplicationListSearch; count: number }) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [top, setTop] = useState(0)
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => (isNarrow ? narrowRow : wideRow),
    overscan: rowsBeyond,
    scrollMargin: top,
    // Rows that come a frame later are better than a frame that waits for them.
    useFlushSync: false,
  })
  useEffect(() => virtualizer.measure(), [isNarrow, virtualizer])
  const items = virtualizer.getVirtualItems()
  const { rowAt, failed } = useApplicationRows(search, items[0]?.index ?? 0, items.at(-1)?.index ?? 0)
  return (
    <>
      <div
        role="rowgroup"
        ref={(element) => setTop(element?.offsetTop ?? 0)}
        className={classes.body}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, key, start, size }) => (
          <Row key={key} index={index} start={start - top} size={size} row={rowAt(index)} />
        ))}
      </div>
      {failed && (
        <div role="row" className={classes.failure}>
          <div role="cell">
            <ErrorState
              title="These rows cannot be read"
              error={failed.error}
              retry={() => void failed.refetch()}
            />
          </div>
        </div>
      )}
    </>
  )
}

interface RowProps {
  index: number
  /** Its start and height, in pixels. */
  start: number
  size: number
  row: ApplicationSummary | undefined
}

const Row = memo(({ index, start, size, row }: RowProps) => (
  <div
    role="row"
    aria-rowindex={index + 2}
    className={`${classes.row} ${classes.item}`}
    style={{ height: size, transform: `translateY(${start}px)` }}
  >
    {row ? <ApplicationRow row={row} /> : <PendingRow />}
  </div>
))

function PendingRow() {
  return (
    <div role="cell" className={classes.pending}>
      <Skeleton height={14} width="60%" />
      <VisuallyHidden>Loading</VisuallyHidden>
    </div>
  )
}
