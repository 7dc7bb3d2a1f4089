import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import classes from './code.module.css'
import { shownCode } from './code-extensions.ts'
import type { ShownDiffProps } from './diff-props.ts'
import { t } from '../language/t.ts'

const collapseUnchanged = { margin: 3, minSize: 6 }
// A diff of large files is cut short rather than slow.
const diffConfig = { scanLimit: 5_000, timeout: 1_500 }

/** Draws the difference of two texts. */
export function DiffView({ before, after, labels, isSideBySide }: ShownDiffProps) {
  const place = useRef<HTMLDivElement>(null)
  const [one, other] = labels
  useEffect(() => {
    const parent = place.current
    if (!parent) return undefined
    if (isSideBySide) {
      const view = new MergeView({
        a: { doc: before, extensions: shownCode(one) },
        b: { doc: after, extensions: shownCode(other) },
        parent,
        collapseUnchanged,
        diffConfig,
      })
      return () => view.destroy()
    }
    const unified = unifiedMergeView({
      original: before,
      mergeControls: false,
      collapseUnchanged,
      diffConfig,
    })
    const view = new EditorView({
      doc: after,
      extensions: [shownCode(t('{before}, then {after}', { before: one, after: other })), unified],
      parent,
    })
    return () => view.destroy()
  }, [before, after, one, other, isSideBySide])
  return <div ref={place} className={classes.code} />
}
