import { EditorView } from '@codemirror/view'
import { useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import classes from './code.module.css'
import { writtenCode } from './code-extensions.ts'
import type { EditorProps, Typed } from './editor-props.ts'
import { fieldCompletions } from './yaml-help/field-completions.ts'
import { setWrongLines, wrongLines as marks } from './yaml-help/wrong-lines.ts'

interface CodeEditorProps extends EditorProps {
  /** The text at the beginning of the editing. */
  initial: string
  /** The text and the cursor of the editor before; those of the beginning by default. */
  typed?: Typed
}

/** Draws YAML to write, with all that helps. */
export function CodeEditor({ ref, initial, typed, onChange, label, kind, wrongLines }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef<EditorView>(null)
  const report = useEffectEvent((view: EditorView) => onChange(view.state.doc.toString()))
  const open = useEffectEvent((parent: HTMLElement) => {
    const reports = EditorView.updateListener.of(({ docChanged, view }) => docChanged && report(view))
    const help = kind ? [fieldCompletions(kind), marks] : []
    const view = new EditorView({ doc: initial, extensions: [writtenCode(label), help, reports], parent })
    if (typed) takeOver(view, typed)
    return view
  })
  // No key comes between this editor and the one before.
  useLayoutEffect(() => {
    if (!place.current) return undefined
    const view = open(place.current)
    shown.current = view
    return () => view.destroy()
  }, [])
  useEffect(() => shown.current?.dispatch({ effects: setWrongLines.of(wrongLines) }), [wrongLines])
  useImperativeHandle(ref, () => ({
    editLine: (line) => shown.current && editLine(shown.current, line),
  }))
  return <div ref={place} className={classes.code} />
}

function takeOver(view: EditorView, { text, anchor, head, scrollTop, hasFocus }: Typed): void {
  const { doc } = view.state
  const changes = text === doc.toString() ? [] : [{ from: 0, to: doc.length, insert: text }]
  view.dispatch({ changes, selection: { anchor, head } })
  view.scrollDOM.scrollTop = scrollTop
  if (hasFocus) view.focus()
}

function editLine(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines))
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
  view.focus()
}
