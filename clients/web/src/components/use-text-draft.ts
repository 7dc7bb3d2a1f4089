import { useState } from 'react'

/** A text that somebody edits while others may change what is stored. */
interface TextDraft {
  /** The text at the beginning of the editing. */
  base: string
  text: string
  /** Counts how often the editing began. */
  round: number
  /** True if the stored text differs from the one at the beginning of the editing. */
  isOutdated: boolean
  type: (text: string) => void
  /** Begins again with a text. */
  begin: (text: string) => void
  /** Takes the stored text for seen, so that what was typed replaces it. */
  keep: () => void
}

/** Edits a text; as long as nobody has typed, it follows what is stored. */
export function useTextDraft(stored: string): TextDraft {
  const [draft, setDraft] = useState({ base: stored, text: stored, seen: stored, round: 0 })
  const { base, text, seen, round } = draft
  const isEdited = text !== base
  const begin = (next: string) => setDraft({ base: next, text: next, seen: stored, round: round + 1 })
  if (!isEdited && stored !== seen) begin(stored)
  return {
    base,
    text,
    round,
    isOutdated: isEdited && stored !== seen && stored !== base,
    type: (next) => setDraft({ ...draft, text: next }),
    begin,
    keep: () => setDraft({ ...draft, seen: stored }),
  }
}
