import { type RefObject, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CodeEditor } from '../code-editor.tsx'
import frame from '../code.module.css'
import type { EditorProps, Typed } from '../editor-props.ts'
import { coloredLines } from './colored-lines.ts'
import { gutterOf } from './drawn-box.tsx'
import { DrawnLine } from './drawn-line.tsx'
import classes from './drawn-yaml.module.css'

interface DrawnEditorProps extends EditorProps {
  text: string
  /** Is called with CodeMirror as soon as somebody edits and it is loaded; what was typed until then comes along. */
  replace: (Editor: typeof CodeEditor, typed: Typed) => void
}

/** Draws YAML to write until CodeMirror takes its place: a field over the colored lines. */
export function DrawnEditor({ ref, text, onChange, label, wrongLines, replace }: DrawnEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const events = useCodeMirror(field, replace)
  const lines = useMemo(() => coloredLines(text), [text])
  const [begin] = useState(text)
  useLayoutEffect(() => {
    if (!field.current) return
    field.current.value = begin
    field.current.setSelectionRange(0, 0)
  }, [begin])
  useImperativeHandle(ref, () => ({
    editLine: (line) => {
      const above = text.split('\n').slice(0, line - 1)
      const offset = above.reduce((sum, { length }) => sum + length + 1, 0)
      field.current?.focus()
      field.current?.setSelectionRange(offset, offset)
    },
  }))
  return (
    <div className={`${frame.code} ${classes.frame}`}>
      <div className={classes.typed} style={gutterOf(lines.length)}>
        <div className={classes.lines} inert>
          {lines.map((line, index) => (
            <DrawnLine
              key={index}
              number={index + 1}
              line={line}
              mark={wrongLines.includes(index + 1) ? classes.wrong : undefined}
            />
          ))}
        </div>
        <textarea
          ref={field}
          className={classes.typing}
          aria-label={label}
          spellCheck={false}
          autoCapitalize="off"
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          {...events}
        />
      </div>
    </div>
  )
}

/** Returns the events of a field by which CodeMirror is loaded when somebody edits, and takes its place between two keys. */
function useCodeMirror(field: RefObject<HTMLTextAreaElement | null>, replace: DrawnEditorProps['replace']) {
  const loaded = useRef<typeof CodeEditor>(undefined)
  const isComposing = useRef(false)
  const handOver = () => {
    if (!field.current || !loaded.current || isComposing.current) return
    const [Editor, typed] = [loaded.current, typedIn(field.current)]
    flushSync(() => replace(Editor, typed))
  }
  const load = async () => {
    // Without a network the field is the editor.
    const code = await import('../code-editor.tsx').catch(() => undefined)
    loaded.current = code?.CodeEditor
    handOver()
  }
  return {
    onFocus: () => void load(),
    onCompositionStart: () => {
      isComposing.current = true
    },
    onCompositionEnd: () => {
      isComposing.current = false
      handOver()
    },
  }
}

function typedIn(field: HTMLTextAreaElement): Typed {
  const { value, selectionStart, selectionEnd, selectionDirection } = field
  const [anchor, head] =
    selectionDirection === 'backward' ? [selectionEnd, selectionStart] : [selectionStart, selectionEnd]
  return {
    text: value,
    anchor,
    head,
    hasFocus: document.activeElement === field,
    scrollTop: field.closest(`.${classes.frame}`)?.scrollTop ?? 0,
  }
}
