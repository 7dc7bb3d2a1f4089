import type {
  ApplicationSummary,
  WatchApplicationSummariesResponse,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { useCallback, useState } from 'react'
import { rowKey } from '../application-pages.ts'

type Rows = ReadonlyMap<string, ApplicationSummary>

/** The Applications that are chosen in a list, each as the page knows it now. */
export interface Selection {
  /** By `rowKey`. */
  rows: Rows
  toggle: (row: ApplicationSummary) => void
  /** Chooses these and no others. */
  choose: (rows: readonly ApplicationSummary[]) => void
  /** Takes over what the server reports of those that are chosen. */
  follow: (change: Pick<WatchApplicationSummariesResponse, 'changed' | 'removed'>) => void
}

const none: Rows = new Map()

/**
 * Chooses Applications of a list.
 * @param filter identifies what the list shows; of another list nothing is chosen
 */
export function useSelection(filter: string): Selection {
  const [chosen, setChosen] = useState({ filter, rows: none })
  const rows = chosen.filter === filter ? chosen.rows : none
  const change = useCallback(
    (next: (rows: Rows) => Rows) =>
      setChosen((before) => {
        const changed = next(before.filter === filter ? before.rows : none)
        return before.filter === filter && before.rows === changed ? before : { filter, rows: changed }
      }),
    [filter],
  )
  return {
    rows,
    toggle: useCallback((row) => change((before) => toggledRow(before, row)), [change]),
    choose: useCallback((next) => change(() => new Map(next.map((row) => [rowKey(row), row]))), [change]),
    follow: useCallback((news) => change((before) => followedRows(before, news)), [change]),
  }
}

function toggledRow(rows: Rows, row: ApplicationSummary): Rows {
  const next = new Map(rows)
  if (!next.delete(rowKey(row))) next.set(rowKey(row), row)
  return next
}

/**
 * Returns the chosen rows after a change that the server reported.
 * @internal
 */
export function followedRows(rows: Rows, { changed, removed }: Parameters<Selection['follow']>[0]): Rows {
  const gone = removed.map(rowKey).filter((key) => rows.has(key))
  const known = changed.filter((row) => rows.has(rowKey(row)))
  if (gone.length + known.length === 0) return rows
  const next = new Map(rows)
  for (const key of gone) next.delete(key)
  for (const row of known) next.set(rowKey(row), row)
  return next
}
