import { Button, Progress, Stack, Text } from '@mantine/core'
import type { ApplicationSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_summaries_pb.ts'
import { type ReactNode, useState } from 'react'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { t } from '../../../language/t.ts'
import { rowKey } from '../application-pages.ts'
import { OutcomeList } from './outcome-list.tsx'
import { useCalls } from './use-calls.ts'
import type { Selection } from './use-selection.ts'

interface CallsDialogProps {
  selection: Selection
  /** Returns the question before the calls. */
  titleOf: (count: number) => string
  /** The button that makes the calls, and its colour. */
  button: string
  color?: string
  /** Returns the sentence afterwards, such as `3 Applications deleted`. */
  doneText: (count: number) => string
  /** The part to read and fill in before the calls are made. */
  children: ReactNode
  /** False while something must be filled in. */
  isReady?: boolean
  /** True if something was typed. */
  isTyped?: boolean
  call: (row: ApplicationSummary) => Promise<unknown>
  textOf: (row: ApplicationSummary) => string
  close: () => void
}

const leaveWords = { before: t('Cancel'), running: '', ended: t('Close') }

/** Names the chosen Applications and asks, then does something to each of them in the version that it shows and says of each what became of it. */
export function CallsDialog(props: CallsDialogProps) {
  const { selection, titleOf, button, color, doneText, children, call, textOf, close } = props
  const { isReady = true, isTyped = false } = props
  const { rows, isChanged, lookAgain } = useAsked(selection)
  const { outcomes, state, run, stop, forget } = useCalls(call)
  const left = rows.filter((row) => !outcomes.get(rowKey(row))?.isDone)
  // A call that is under way changes its Application itself.
  const changed = state === 'running' ? [] : left.filter(isChanged)
  const count = rows.length - left.length
  const title = titleOf(rows.length)
  return (
    <Dialog title={title} size="lg" isTyped={isTyped && state === 'before'} close={close}>
      <Stack>
        {state === 'before' && children}
        {state !== 'before' && (
          <Text size="sm" role="status">
            {state === 'ended' && left.length > 0
              ? t('{done}, {count, number} not', { done: doneText(count), count: left.length })
              : doneText(count)}
          </Text>
        )}
        {state === 'running' && <Progress value={(outcomes.size / rows.length) * 100} aria-label={title} />}
        <OutcomeList rows={rows} changed={changed} outcomes={outcomes} textOf={textOf} />
        <DialogButtons leave={leaveWords[state]} isLeaveFirst>
          {state === 'running' && (
            <Button variant="default" onClick={stop}>
              {t('Stop')}
            </Button>
          )}
          {changed.length > 0 && (
            <Button
              variant="default"
              onClick={() => {
                lookAgain()
                forget(changed)
              }}
            >
              {t('Look again')}
            </Button>
          )}
          {state !== 'running' && left.length > 0 && (
            <Button
              {...(color !== undefined && { color })}
              disabled={!isReady}
              onClick={() => void run(left)}
            >
              {state === 'before' ? button : t('Try the other {count, number}', { count: left.length })}
            </Button>
          )}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

/** The Applications that a dialog asks about, each in the version that it shows. */
interface Asked {
  rows: readonly ApplicationSummary[]
  /** Returns true for one that has another version now. */
  isChanged: (row: ApplicationSummary) => boolean
  /** Shows the versions of now. */
  lookAgain: () => void
}

/** Asks about the Applications that are chosen when the dialog opens; one that is deleted leaves the selection meanwhile. */
function useAsked(selection: Selection): Asked {
  const [rows, setRows] = useState(() => [...selection.rows.values()])
  const now = (row: ApplicationSummary) => selection.rows.get(rowKey(row)) ?? row
  return {
    rows,
    isChanged: (row) => now(row).version !== row.version,
    lookAgain: () => setRows(rows.map(now)),
  }
}
