import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import type { DiffView } from './diff-view.tsx'
import { Loading } from './loading.tsx'

export interface TextDiffProps {
  before: string
  after: string
  /** The names of the two sides, for readers and screen readers. */
  labels: readonly [string, string]
}

let loaded: typeof DiffView | undefined
const Diff = lazy(async () => ({ default: await loadDiff() }))

/** Loads what draws diffs, for a page that may have to draw some at once, as printing does. */
export async function loadDiff(): Promise<typeof DiffView> {
  return (loaded ??= (await import('./diff-view.tsx')).DiffView)
}

/**
 * Two versions of a text beside each other, or one below the other where there is no room or only one of them; loaded when
 * it is shown.
 */
export function TextDiff(props: TextDiffProps) {
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const isSideBySide = isWide && props.before !== '' && props.after !== ''
  const [Shown] = useState(() => loaded ?? Diff)
  return (
    <Suspense fallback={<Loading />}>
      <Shown key={String(isSideBySide)} {...props} isSideBySide={isSideBySide} />
    </Suspense>
  )
}
