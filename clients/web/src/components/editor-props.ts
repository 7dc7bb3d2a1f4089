import type { Ref } from 'react'
import type { KnownKind } from './yaml-help/kind-fields.ts'

export interface TypedYamlProps {
  /** The text at the beginning of the editing. */
  initial: string
  /** Is called with the whole text at each change. */
  onChange: (text: string) => void
  /** Names it for screen readers. */
  label: string
  /** The kind of the object that is written, whose fields are offered and checked; without it, any YAML. */
  kind?: KnownKind
}

/** The properties of an editor of YAML. */
export interface EditorProps extends Omit<TypedYamlProps, 'initial'> {
  ref: Ref<EditorHandle>
  /** Lines that do not fit, numbered from 1. */
  wrongLines: readonly number[]
}

export interface EditorHandle {
  /** Begins to edit at a line, numbered from 1. */
  editLine: (line: number) => void
}

/** The state of an editor whose place another one takes. */
export interface Typed {
  text: string
  anchor: number
  head: number
  hasFocus: boolean
  scrollTop: number
}
