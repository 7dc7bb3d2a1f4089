import { Anchor, List } from '@mantine/core'
import { EditorView } from '@codemirror/view'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo } from 'react'
import { t } from '../../language/t.ts'
import { GivenText } from '../given-text.tsx'
import { fieldFindings } from './field-findings.ts'
import type { KnownKind } from './kind-fields.ts'
import { setWrongLines } from './wrong-lines.ts'

/** Wait after the last key, in milliseconds. */
const typingPause = 300

interface FieldHelpProps {
  kind: KnownKind
  text: string
  view: EditorView
}

/** Says what of a text does not fit the fields of its kind, marks the lines, and leads to them. */
export function FieldHelp({ kind, text, view }: FieldHelpProps) {
  const [paused] = useDebouncedValue(text, typingPause)
  const findings = useMemo(() => fieldFindings(paused, kind), [paused, kind])
  useEffect(
    () => view.dispatch({ effects: setWrongLines.of(findings.map(({ line }) => line)) }),
    [view, findings],
  )
  const show = (line: number) => {
    const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines))
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
    view.focus()
  }
  return (
    <div role="status">
      {findings.length > 0 && (
        <List size="sm" mt={4} listStyleType="none">
          {findings.map(({ line, message }, index) => (
            <List.Item key={`${index} ${message}`} style={{ overflowWrap: 'anywhere' }}>
              <Anchor component="button" type="button" size="sm" ta="start" onClick={() => show(line)}>
                {t('Line {line, number}:', { line })} <GivenText text={message} lang="en" />
              </Anchor>
            </List.Item>
          ))}
        </List>
      )}
    </div>
  )
}
