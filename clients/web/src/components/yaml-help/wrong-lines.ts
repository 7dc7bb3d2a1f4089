import { type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'

/** Marks other lines of the text, numbered from 1. */
export const setWrongLines = StateEffect.define<readonly number[]>()

const wrongLine = Decoration.line({ class: 'cm-wrongLine' })

/** Shows which lines do not fit; the marks move with the text until others are set. */
export const wrongLines: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { effects, changes, state }) => {
    const wanted = effects.find((effect) => effect.is(setWrongLines))
    if (!wanted) return marks.map(changes)
    const builder = new RangeSetBuilder<Decoration>()
    for (const number of new Set(wanted.value.toSorted((one, other) => one - other))) {
      if (number > state.doc.lines) break
      const { from } = state.doc.line(number)
      builder.add(from, from, wrongLine)
    }
    return builder.finish()
  },
  provide: (field) => EditorView.decorations.from(field),
})
