import { Suspense, useRef, useState } from 'react'
import type { CodeEditor } from './code-editor.tsx'
import { DrawnEditor } from './drawn-yaml/drawn-editor.tsx'
import type { EditorHandle, Typed, TypedYamlProps } from './editor-props.ts'
import { lazyPart } from './lazy-part.ts'
import { Loading } from './loading.tsx'
import { isLong } from './long-text.ts'
import { FieldHelp } from './yaml-help/field-help.tsx'
import { useFieldFindings } from './yaml-help/use-field-findings.ts'

const LongEditor = lazyPart(async () => (await import('./code-editor.tsx')).CodeEditor)

/** Draws YAML to write: first the lines alone, and CodeMirror when somebody edits them, or if they are many. */
export function TypedYaml({ initial, onChange, label, kind }: TypedYamlProps) {
  // Another text begins with another key.
  const [begin] = useState(initial)
  const [text, setText] = useState(begin)
  const [edited, edit] = useState<{ Editor: typeof CodeEditor; typed: Typed }>()
  const editor = useRef<EditorHandle>(null)
  const { findings, wrongLines } = useFieldFindings(text, kind)
  const change = (next: string) => {
    setText(next)
    onChange(next)
  }
  const props = { ref: editor, label, wrongLines, onChange: change, ...(kind && { kind }) }
  return (
    <>
      {edited && <edited.Editor {...props} initial={begin} typed={edited.typed} />}
      {!edited && isLong(begin) && (
        <Suspense fallback={<Loading />}>
          <LongEditor {...props} initial={begin} />
        </Suspense>
      )}
      {!edited && !isLong(begin) && (
        <DrawnEditor {...props} text={text} replace={(Editor, typed) => edit({ Editor, typed })} />
      )}
      {kind && <FieldHelp findings={findings} editLine={(line) => editor.current?.editLine(line)} />}
    </>
  )
}
