import { Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { ListedObject, ObjectKind } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { GivenText } from '../../../components/given-text.tsx'
import { type ListPlaces, listPlaces } from '../../../components/list-places.ts'
import { counted } from '../../../words/counted.ts'
import { type ObjectListRequest, useObjectCounts, useObjectRows } from './object-pages.ts'
import { ObjectLink } from './object-link.tsx'
import classes from './objects.module.css'

const wideRow = 40
const narrowRow = 64
const rowsBeyond = 8
const rowsWhilePending = 12

/** The objects of a hydrated commit by kind; only the rows in sight are drawn. */
export function ObjectList({ request }: { request: ObjectListRequest }) {
  const { data, isPending, isError, error, refetch } = useObjectCounts(request)
  const { kinds = [], total = 0 } = data ?? {}
  const chosen = useMemo(() => new Set(request.kinds), [request.kinds])
  const places = useMemo(() => {
    const groups = kinds.filter(({ kind }) => chosen.size === 0 || chosen.has(kind))
    return listPlaces(groups, isPending ? rowsWhilePending : total)
  }, [kinds, chosen, isPending, total])
  if (isError)
    return <ErrorState title="The objects cannot be read" error={error} retry={() => void refetch()} />
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {isPending ? 'Loading' : counted(total, 'object')}
      </Text>
      {places.count > 0 && (
        <div role="table" aria-label="Objects" aria-rowcount={places.count + 1} className={classes.table}>
          <div role="rowgroup" className={classes.head}>
            <div role="row" aria-rowindex={1} className={classes.row}>
              <div role="columnheader">Name</div>
              <div role="columnheader">Namespace</div>
              <div role="columnheader">File</div>
            </div>
          </div>
          <Rows request={request} places={places} />
        </div>
      )}
    </>
  )
}

/** All that is drawn again while scrolling. */
function Rows({ request, places }: { request: ObjectListRequest; places: ListPlaces<ObjectKind> }) {
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
  const lines = virtualizer.getVirtualItems().map((item) => ({ ...item, place: places.at(item.index) }))
  const shown = lines.flatMap(({ place }) => ('index' in place ? place.index : []))
  const { rowAt, failed } = useObjectRows(request, shown[0] ?? 0, shown.at(-1) ?? 0)
  return (
    <>
      <div
        role="rowgroup"
        ref={(element) => setTop(element?.offsetTop ?? 0)}
        className={classes.body}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {lines.map(({ index, key, start, size, place }) => (
          <Line key={key} index={index} start={start - top} size={size}>
            {'heading' in place ? <Heading kind={place.heading} /> : <Cells object={rowAt(place.index)} />}
          </Line>
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

interface LineProps {
  index: number
  /** Its start and height, in pixels. */
  start: number
  size: number
  children: ReactNode
}

function Line({ index, start, size, children }: LineProps) {
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

function Heading({ kind: { kind, total } }: { kind: ObjectKind }) {
  return (
    <div role="cell" aria-colspan={3} className={classes.kind}>
      {kind}
      <span className={classes.total}>{total.toLocaleString()}</span>
    </div>
  )
}

function Cells({ object }: { object: ListedObject | undefined }) {
  if (!object?.identity)
    return (
      <div role="cell" aria-colspan={3} className={classes.kind}>
        <Skeleton height={14} width="60%" />
        <VisuallyHidden>Loading</VisuallyHidden>
      </div>
    )
  const { identity, file, line } = object
  return (
    <>
      <div role="cell" className={classes.name}>
        <ObjectLink identity={identity} />
      </div>
      <div role="cell" className={classes.within}>
        <GivenText text={identity.namespace} />
      </div>
      <div role="cell" className={classes.file}>
        <GivenText text={`${file}:${line}`} />
      </div>
    </>
  )
}
