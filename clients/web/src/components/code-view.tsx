import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import classes from './code.module.css'
import { shownCode } from './code-extensions.ts'

/** Draws YAML to read. */
export function CodeView({ text, label }: { text: string; label: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const parent = place.current
    if (!parent) return undefined
    const view = new EditorView({ doc: text, extensions: shownCode(label), parent })
    return () => view.destroy()
  }, [text, label])
  return <div ref={place} className={classes.code} />
}
