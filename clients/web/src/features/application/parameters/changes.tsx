import type { SourceName } from '../application-name.ts'
import { LiveEffect } from './live-effect.tsx'
import { SaveBar } from './save-bar.tsx'
import { type AskedEdits, useLivePreview } from './use-live-preview.ts'

interface ChangesProps extends AskedEdits {
  name: SourceName
  clear: () => void
}

/** The effect of a round of edits, and the way to save it; drawn again after each save, so that no round begins with the effect of the one before. */
export function Changes({ name, clear, ...asked }: ChangesProps) {
  const live = useLivePreview(name, asked)
  const { edits, isValid } = asked
  return (
    <>
      <LiveEffect live={live} />
      <SaveBar name={name} edits={edits} live={live} isValid={isValid} clear={clear} />
    </>
  )
}
