import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { ApplicationGroup } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { useEffect, useMemo, useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { type ListPlaces, listPlaces } from '../../components/list-places.ts'
import { counted } from '../../words/counted.ts'
import type { ApplicationListSearch } from './application-filter.ts'
import classes from './application-list.module.css'
import { rowKey, useApplicationCounts, useApplicationRows } from './application-pages.ts'
import { Line, Row } from './list-lines.tsx'
import { GroupHeading } from './group-heading.tsx'
import { AllCheckbox } from './selection/all-checkbox.tsx'
import type { Selection } from './selection/use-selection.ts'
import { SortableHeader } from './sortable-header.tsx'

const wideRow = 45
const narrowRow = 77
const rowsBeyond = 8
const rowsWhilePending = 12

interface ApplicationListProps {
  search: ApplicationListSearch
  selection: Selection
}

/** The table of Applications; only the rows in sight are drawn. */
export function ApplicationList({ search, selection }: ApplicationListProps) {
  const { total, groups, isPending } = useApplicationCounts(search)
  const places = useMemo(
    () => listPlaces(groups, isPending ? rowsWhilePending : total),
    [groups, isPending, total],
  )
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {isPending ? 'Loading' : counted(total, 'Application')}
      </Text>
      <div role="table" aria-label="Applications" aria-rowcount={places.count + 1} className={classes.table}>
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={1} className={classes.row}>
            <AllCheckbox key={JSON.stringify(search)} search={search} total={total} selection={selection} />
            <SortableHeader label="Name" />
            <SortableHeader label="Phase" sort="phase" />
            <div role="columnheader">Project</div>
            <div role="columnheader">Branch</div>
            <div role="columnheader">Dry commit</div>
            <SortableHeader label="Age" sort="finished" />
          </div>
        </div>
        <Rows search={search} places={places} selection={selection} />
      </div>
    </>
  )
}

/** All that is drawn again while scrolling. */
function Rows({
  search,
  places,
  selection,
}: ApplicationListProps & { places: ListPlaces<ApplicationGroup> }) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [top, setTop] = useState(0)
  const virtualizer = useWindowVirtualizer({
    count: places.count,
    estimateSize: () => (isNarrow ? narrowRow : wideRow),
    overscan: rowsBeyond,
    scrollMargin: top,
    // Rows that come a frame later are better than a frame that waits for them.
    useFlushSync: false,
  })
  useEffect(() => virtualizer.measure(), [isNarrow, virtualizer])
  const items = virtualizer.getVirtualItems()
  const lines = items.map((item) => ({ ...item, place: places.at(item.index) }))
  const shown = lines.flatMap(({ place }) => ('index' in place ? place.index : []))
  const { rowAt, failed } = useApplicationRows(search, shown[0] ?? 0, shown.at(-1) ?? 0)
  return (
    <>
      <div
        role="rowgroup"
        ref={(element) => setTop(element?.offsetTop ?? 0)}
        className={classes.body}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {lines.map(({ index, key, start, size, place }) => {
          const line = { index, start: start - top, size }
          if ('heading' in place)
            return (
              <Line key={key} {...line}>
                <GroupHeading group={place.heading} />
              </Line>
            )
          const row = rowAt(place.index)
          const isChosen = row !== undefined && selection.rows.has(rowKey(row))
          return <Row key={key} {...line} row={row} isChosen={isChosen} toggle={selection.toggle} />
        })}
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
