import { useMediaQuery } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useState } from 'react'
import { ErrorState } from './error-state.tsx'
import type { ListPlaces } from './list-places.ts'
import classes from './window-lines.module.css'
import { t } from '../language/t.ts'

/** The number of lines while it is not known how many there are. */
export const linesWhilePending = 12
const linesBeyond = 8

/** The heights of a line in pixels, in a wide window and in a narrow one. */
interface LineHeights {
  wide: number
  narrow: number
}

/** The place of a line. */
export interface LinePlace {
  index: number
  /** Its start and height, in pixels. */
  start: number
  size: number
}

/** The element that holds the lines. */
interface LineHolder {
  ref: (element: HTMLElement | null) => void
  style: { height: number }
}

/** Returns the lines of a list that are in sight, the first and the last of its items among them, and what holds the lines. */
export function useWindowLines<Group>(places: ListPlaces<Group>, { wide, narrow }: LineHeights) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [top, setTop] = useState(0)
  const virtualizer = useWindowVirtualizer({
    count: places.count,
    estimateSize: () => (isNarrow ? narrow : wide),
    overscan: linesBeyond,
    scrollMargin: top,
    // Rows that come a frame later are better than a frame that waits for them.
    useFlushSync: false,
  })
  useEffect(() => virtualizer.measure(), [isNarrow, virtualizer])
  const lines = virtualizer.getVirtualItems().map(({ key, index, start, size }) => {
    return { key, line: { index, start: start - top, size }, place: places.at(index) }
  })
  const shown = lines.flatMap(({ place }) => ('index' in place ? place.index : []))
  const holder: LineHolder = {
    ref: (element) => setTop(element?.offsetTop ?? 0),
    style: { height: virtualizer.getTotalSize() },
  }
  return { lines, first: shown[0] ?? 0, last: shown.at(-1) ?? 0, holder }
}

interface WindowLinesProps {
  holder: LineHolder
  /** The question for rows that failed, if one did. */
  failed: { error: unknown; refetch: () => Promise<unknown> } | undefined
  children: ReactNode
}

/** Holds the lines of `useWindowLines`, and says when rows cannot be read. */
export function WindowLines({ holder, failed, children }: WindowLinesProps) {
  return (
    <>
      <div role="rowgroup" className={classes.body} {...holder}>
        {children}
      </div>
      {failed && (
        <div role="row" className={classes.failure}>
          <div role="cell">
            <ErrorState
              title={t('These rows cannot be read')}
              error={failed.error}
              retry={() => void failed.refetch()}
            />
          </div>
        </div>
      )}
    </>
  )
}

/** A line at its place; its cells are the children, and the class arranges them. */
export function WindowLine({
  index,
  start,
  size,
  className,
  children,
}: LinePlace & { className: string; children: ReactNode }) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`${className} ${classes.item}`}
      style={{ height: size, transform: `translateY(${start}px)` }}
    >
      {children}
    </div>
  )
}
