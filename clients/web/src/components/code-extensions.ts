import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers, ViewPlugin } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { styleNonce } from './style-nonce.ts'

/** YAML to read, which the keyboard reaches too. @param label names it for screen readers */
export function shownCode(label: string): Extension {
  return [yamlCode(label), EditorState.readOnly.of(true), reachableScroller]
}

/** YAML to write. The tabulator leaves it, as it leaves every field. @param label names it for screen readers */
export function writtenCode(label: string): Extension {
  return [yamlCode(label), history(), indentOnInput(), keymap.of([...defaultKeymap, ...historyKeymap])]
}

/** The keyboard scrolls what is longer than its place. */
const reachableScroller = ViewPlugin.define(({ scrollDOM }) => {
  scrollDOM.tabIndex = 0
  return {}
})

/** Those that CodeMirror does not show by itself: the rest of what changes the direction of a line. */
const directionControls = /[\u202A-\u202C\u2068]/g

function yamlCode(label: string): Extension {
  return [
    EditorView.cspNonce.of(styleNonce()),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.lineWrapping,
    highlightSpecialChars({ addSpecialChars: directionControls }),
    lineNumbers(),
    yaml(),
    syntaxHighlighting(classHighlighter),
  ]
}
