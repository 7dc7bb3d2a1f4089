import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { useState } from 'react'
import { rowKey } from '../application-pages.ts'
import type { Selection } from './use-selection.ts'

/** The Applications that a dialog asks about, each in the version that it shows. */
interface Asked {
  rows: readonly ApplicationSummary[]
  /** Returns true for one that has another version now. */
  isChanged: (row: ApplicationSummary) => boolean
  /** Shows the versions of now. */
  lookAgain: () => void
}

/** Asks about the Applications that are chosen when the dialog opens; one that is deleted leaves the selection meanwhile. */
export function useAsked(selection: Selection): Asked {
  const [rows, setRows] = useState(() => [...selection.rows.values()])
  const now = (row: ApplicationSummary) => selection.rows.get(rowKey(row)) ?? row
  return {
    rows,
    isChanged: (row) => now(row).version !== row.version,
    lookAgain: () => setRows(rows.map(now)),
  }
}
