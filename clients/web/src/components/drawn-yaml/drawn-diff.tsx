import { useMemo, useState } from 'react'
import { t } from '../../language/t.ts'
import frame from '../code.module.css'
import type { ShownDiffProps } from '../diff-props.ts'
import { diffRows, unifiedRows } from './diff-rows.ts'
import { type DiffSection, diffSections } from './diff-sections.ts'
import { DiffSide } from './diff-side.tsx'
import classes from './drawn-yaml.module.css'

/** Draws the difference of two texts of YAML. */
export function DrawnDiff({ before, after, labels: [one, other], isSideBySide }: ShownDiffProps) {
  const sections = useMemo(() => {
    const rows = diffRows(before, after)
    return diffSections(isSideBySide ? rows : unifiedRows(rows))
  }, [before, after, isSideBySide])
  const [opened, setOpened] = useState<ReadonlySet<DiffSection>>(new Set())
  const sides = {
    sections,
    isOpen: (section: DiffSection) => !section.isFolded || opened.has(section),
    open: (section: DiffSection) => setOpened(new Set(opened).add(section)),
  }
  if (!isSideBySide)
    return (
      <div className={`${frame.code} ${classes.frame} ${classes.diff}`}>
        <DiffSide {...sides} side="both" label={t('{before}, then {after}', { before: one, after: other })} />
      </div>
    )
  return (
    <div className={`${frame.code} ${classes.frame} ${classes.diff} ${classes.sides}`}>
      <DiffSide {...sides} side="before" label={one} />
      <DiffSide {...sides} side="after" label={other} />
    </div>
  )
}
