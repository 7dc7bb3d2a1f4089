import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { useEffect, useRef, useState } from 'react'
import { rowKey } from '../application-pages.ts'

/** The result of the call for one Application: done, or why not. */
export type CallOutcome = { isDone: true } | { isDone: false; error: unknown }

/** Calls of the server for several Applications, each with its own outcome. */
interface Calls {
  /** By `rowKey`; Applications whose turn did not come are not among them. */
  outcomes: ReadonlyMap<string, CallOutcome>
  state: 'before' | 'running' | 'ended'
  /** Makes the calls for these, a few at a time. */
  run: (rows: readonly ApplicationSummary[]) => Promise<void>
  /** Makes no further call; those that are under way come to their end. */
  stop: () => void
  /** Drops the outcomes for these. */
  forget: (rows: readonly ApplicationSummary[]) => void
}

const callsAtOnce = 4

/** Calls the server for each of several Applications, until all are called, or the component goes. */
export function useCalls(call: (row: ApplicationSummary) => Promise<unknown>): Calls {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, CallOutcome>>(new Map())
  const [state, setState] = useState<Calls['state']>('before')
  const isStopped = useRef(false)
  const stop = () => {
    isStopped.current = true
  }
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const run = async (rows: readonly ApplicationSummary[]) => {
    isStopped.current = false
    setState('running')
    const waiting = rows.values()
    const work = async () => {
      for (const row of waiting) {
        if (isStopped.current) return
        const outcome = await outcomeOf(call(row))
        setOutcomes((before) => new Map(before).set(rowKey(row), outcome))
      }
    }
    await Promise.all(Array.from({ length: callsAtOnce }, work))
    setState('ended')
  }
  const forget = (rows: readonly ApplicationSummary[]) => {
    const keys = new Set(rows.map(rowKey))
    setOutcomes((before) => new Map([...before].filter(([key]) => !keys.has(key))))
  }
  return { outcomes, state, run, stop, forget }
}

async function outcomeOf(call: Promise<unknown>): Promise<CallOutcome> {
  try {
    await call
    return { isDone: true }
  } catch (error) {
    return { isDone: false, error }
  }
}
