import type { MouseEvent } from 'react'
import { t } from '../../language/t.ts'
import type { DiffRow } from './diff-rows.ts'
import type { DiffSection } from './diff-sections.ts'
import { DrawnBox } from './drawn-box.tsx'
import { DrawnLine, type DrawnLineProps } from './drawn-line.tsx'
import classes from './drawn-yaml.module.css'

/** The text whose lines are drawn: one of the two, or both in one column. */
type ShownSide = 'before' | 'after' | 'both'

interface DiffSideProps {
  side: ShownSide
  label: string
  sections: readonly DiffSection[]
  isOpen: (section: DiffSection) => boolean
  open: (section: DiffSection) => void
}

/** Draws the lines of a side of a diff, and what is folded between them. */
export function DiffSide({ side, label, sections, isOpen, open }: DiffSideProps) {
  const count = sections.reduce((sum, section) => sum + (isOpen(section) ? section.rows.length : 1), 0)
  return (
    <DrawnBox label={label} lines={lastNumber(sections)} style={{ gridRow: `1 / span ${count}` }}>
      {sections.map((section, index) =>
        isOpen(section) ? (
          section.rows.map((row) => (
            <DrawnLine key={`${row.before?.number} ${row.after?.number}`} {...shownLine(row, side)} />
          ))
        ) : (
          <Fold key={`fold ${index}`} side={side} count={section.rows.length} open={() => open(section)} />
        ),
      )}
    </DrawnBox>
  )
}

function Fold({ side, count, open }: { side: ShownSide; count: number; open: () => void }) {
  // One button opens both sides.
  if (side === 'after') return <div className={classes.fold} />
  const show = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // The button is gone then.
    currentTarget.parentElement?.focus({ preventScroll: true })
    open()
  }
  return (
    <button type="button" className={classes.fold} onClick={show}>
      {t('{count, plural, one {# unchanged line} other {# unchanged lines}}', { count })}
    </button>
  )
}

function shownLine({ isSame, before, after }: DiffRow, side: ShownSide): DrawnLineProps {
  const line = side === 'before' ? before : side === 'after' || isSame ? after : (before ?? after)
  if (isSame) return { ...line, mark: classes.same }
  if (!line) return { mark: classes.gap }
  return { ...line, mark: line === before ? classes.removed : classes.added }
}

function lastNumber(sections: readonly DiffSection[]): number {
  return Math.max(
    ...sections.flatMap(({ rows }) =>
      rows.slice(-2).flatMap(({ before, after }) => [before?.number ?? 0, after?.number ?? 0]),
    ),
  )
}
