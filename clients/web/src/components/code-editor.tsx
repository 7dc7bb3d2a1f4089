import { EditorView } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef } from 'react'
import classes from './code.module.css'
import { writtenCode } from './code-extensions.ts'

export interface CodeEditorProps {
  /** The text at the beginning of the editing. */
  initial: string
  /** Is called with the whole text at each change. */
  onChange: (text: string) => void
  /** Names it for screen readers. */
  label: string
}

/** Draws YAML to write. */
export function CodeEditor({ initial, onChange, label }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const report = useEffectEvent(onChange)
  useEffect(() => {
    const parent = place.current
    if (!parent) return undefined
    const reports = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) report(state.doc.toString())
    })
    const view = new EditorView({ doc: initial, extensions: [writtenCode(label), reports], parent })
    return () => view.destroy()
  }, [initial, label])
  return <div ref={place} className={classes.code} />
}
