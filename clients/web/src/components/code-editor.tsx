import { EditorView } from '@codemirror/view'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import classes from './code.module.css'
import { writtenCode } from './code-extensions.ts'
import { fieldCompletions } from './yaml-help/field-completions.ts'
import { FieldHelp } from './yaml-help/field-help.tsx'
import type { KnownKind } from './yaml-help/kind-fields.ts'
import { wrongLines } from './yaml-help/wrong-lines.ts'

export interface CodeEditorProps {
  /** The text at the beginning of the editing. */
  initial: string
  /** Is called with the whole text at each change. */
  onChange: (text: string) => void
  /** Names it for screen readers. */
  label: string
  /** The kind of the object that is written, whose fields are offered and checked; without it, any YAML. */
  kind?: KnownKind
}

/** Draws YAML to write. */
export function CodeEditor({ initial, onChange, label, kind }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  // Another text begins with another key.
  const [begin] = useState(initial)
  const [shown, show] = useState<{ view: EditorView; text: string }>()
  const report = useEffectEvent((view: EditorView) => {
    const text = view.state.doc.toString()
    show({ view, text })
    onChange(text)
  })
  useEffect(() => {
    const parent = place.current
    if (!parent) return undefined
    const reports = EditorView.updateListener.of(({ docChanged, view }) => docChanged && report(view))
    const help = kind ? [fieldCompletions(kind), wrongLines] : []
    const view = new EditorView({ doc: begin, extensions: [writtenCode(label), help, reports], parent })
    show({ view, text: begin })
    return () => view.destroy()
  }, [begin, label, kind])
  return (
    <>
      <div ref={place} className={classes.code} />
      {kind && shown && <FieldHelp kind={kind} {...shown} />}
    </>
  )
}
