import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import classes from './drawn-yaml.module.css'

interface DrawnBoxProps {
  /** Names it for screen readers. */
  label: string
  /** The greatest number of its lines. */
  lines: number
  style?: CSSProperties
  children: ReactNode
}

/** A place for lines of YAML, which the keyboard reaches, scrolls and selects. */
export function DrawnBox({ label, lines, style, children }: DrawnBoxProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- who reads selects and copies
    <div
      role="group"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it too
      tabIndex={0}
      className={classes.lines}
      style={{ ...gutterOf(lines), ...style }}
      onKeyDown={selectAll}
    >
      {children}
    </div>
  )
}

/** Returns the style that gives the numbers of lines their room. */
export function gutterOf(lines: number): CSSProperties {
  return { '--digits': String(lines).length } as CSSProperties
}

/** Selects all lines, but nothing of the page around them. */
function selectAll(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'a' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  getSelection()?.selectAllChildren(event.currentTarget)
}
