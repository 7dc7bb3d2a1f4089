import { Text } from '@mantine/core'
import type { ApplicationGroup } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { useMemo } from 'react'
import { type ListPlaces, listPlaces } from '../../components/list-places.ts'
import { linesWhilePending, useWindowLines, WindowLine, WindowLines } from '../../components/window-lines.tsx'
import type { ApplicationListSearch } from './application-filter.ts'
import classes from './application-list.module.css'
import { rowKey, useApplicationCounts, useApplicationRows } from './application-pages.ts'
import { Row } from './application-line.tsx'
import { GroupHeading } from './group-heading.tsx'
import { AllCheckbox } from './selection/all-checkbox.tsx'
import type { Selection } from './selection/use-selection.ts'
import { SortableHeader } from './sortable-header.tsx'
import { t } from '../../language/t.ts'

const heights = { wide: 45, narrow: 77 }

interface ApplicationListProps {
  search: ApplicationListSearch
  selection: Selection
}

/** The table of Applications; only the rows in sight are drawn. */
export function ApplicationList({ search, selection }: ApplicationListProps) {
  const { total, groups, isPending } = useApplicationCounts(search)
  const places = useMemo(
    () => listPlaces(groups, isPending ? linesWhilePending : total),
    [groups, isPending, total],
  )
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {isPending
          ? t('Loading')
          : t('{count, plural, one {# Application} other {# Applications}}', { count: total })}
      </Text>
      <div
        role="table"
        aria-label={t('Applications')}
        aria-rowcount={places.count + 1}
        className={classes.table}
      >
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={1} className={classes.row}>
            <AllCheckbox key={JSON.stringify(search)} search={search} total={total} selection={selection} />
            <SortableHeader label={t('Name')} />
            <SortableHeader label={t('Phase')} sort="phase" />
            <div role="columnheader">{t('Project')}</div>
            <div role="columnheader">{t('Branch')}</div>
            <div role="columnheader" className={classes.renderer}>
              {t('Renderer')}
            </div>
            <div role="columnheader">{t('Dry commit')}</div>
            <SortableHeader label={t('Age')} sort="finished" />
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
  const { lines, first, last, holder } = useWindowLines(places, heights)
  const { rowAt, failed } = useApplicationRows(search, first, last)
  return (
    <WindowLines holder={holder} failed={failed}>
      {lines.map(({ key, line, place }) => {
        if ('heading' in place)
          return (
            <WindowLine key={key} {...line} className={`${classes.row} ${classes.item}`}>
              <GroupHeading group={place.heading} />
            </WindowLine>
          )
        const row = rowAt(place.index)
        const isChosen = row !== undefined && selection.rows.has(rowKey(row))
        return <Row key={key} {...line} row={row} isChosen={isChosen} toggle={selection.toggle} />
      })}
    </WindowLines>
  )
}
