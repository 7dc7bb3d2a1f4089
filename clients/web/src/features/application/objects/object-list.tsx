import { Skeleton, Text, VisuallyHidden } from '@mantine/core'
import type { ListedObject, ObjectKind } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import { useMemo } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { GivenText } from '../../../components/given-text.tsx'
import { type ListPlaces, listPlaces } from '../../../components/list-places.ts'
import {
  linesWhilePending,
  useWindowLines,
  WindowLine,
  WindowLines,
} from '../../../components/window-lines.tsx'
import { type ObjectListRequest, useObjectCounts, useObjectRows } from './object-pages.ts'
import { ObjectLink } from './object-link.tsx'
import classes from './objects.module.css'

import { locale } from '../../../language/catalogue.ts'
import { t } from '../../../language/t.ts'

const heights = { wide: 40, narrow: 64 }

/** The objects of a hydrated commit by kind; only the rows in sight are drawn. */
export function ObjectList({ request }: { request: ObjectListRequest }) {
  const { data, isPending, isError, error, refetch } = useObjectCounts(request)
  const { kinds = [], total = 0 } = data ?? {}
  const chosen = useMemo(() => new Set(request.kinds), [request.kinds])
  const places = useMemo(() => {
    const groups = kinds.filter(({ kind }) => chosen.size === 0 || chosen.has(kind))
    return listPlaces(groups, isPending ? linesWhilePending : total)
  }, [kinds, chosen, isPending, total])
  if (isError)
    return <ErrorState title={t('The objects cannot be read')} error={error} retry={() => void refetch()} />
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {isPending ? t('Loading') : t('{count, plural, one {# object} other {# objects}}', { count: total })}
      </Text>
      {places.count > 0 && (
        <div
          role="table"
          aria-label={t('Objects')}
          aria-rowcount={places.count + 1}
          className={classes.table}
        >
          <div role="rowgroup" className={classes.head}>
            <div role="row" aria-rowindex={1} className={classes.row}>
              <div role="columnheader">{t('Name')}</div>
              <div role="columnheader">{t('Namespace')}</div>
              <div role="columnheader">{t('File')}</div>
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
  const { lines, first, last, holder } = useWindowLines(places, heights)
  const { rowAt, failed } = useObjectRows(request, first, last)
  return (
    <WindowLines holder={holder} failed={failed}>
      {lines.map(({ key, line, place }) => (
        <WindowLine key={key} {...line} className={`${classes.row} ${classes.item}`}>
          {'heading' in place ? <Heading kind={place.heading} /> : <Cells object={rowAt(place.index)} />}
        </WindowLine>
      ))}
    </WindowLines>
  )
}

function Heading({ kind: { kind, total } }: { kind: ObjectKind }) {
  return (
    <div role="cell" aria-colspan={3} className={classes.kind}>
      {kind} <span className={classes.total}>{total.toLocaleString(locale)}</span>
    </div>
  )
}

function Cells({ object }: { object: ListedObject | undefined }) {
  if (!object?.identity)
    return (
      <div role="cell" aria-colspan={3} className={classes.kind}>
        <Skeleton height={14} width="60%" />
        <VisuallyHidden>{t('Loading')}</VisuallyHidden>
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
