import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { Loading } from './loading.tsx'

export interface TextDiffProps {
  before: string
  after: string
  /** The names of the two sides, for readers and screen readers. */
  labels: readonly [string, string]
}

const Diff = lazy(async () => ({ default: (await import('./diff-view.tsx')).DiffView }))

interface PlacedDiffProps extends TextDiffProps {
  /** True where there is no room for two sides, however wide the window is. */
  isNarrow?: boolean | undefined
}

/**
 * Two versions of a text beside each other, or one below the other where there is no room or only one of them; loaded when
 * it is shown.
 */
export function TextDiff({ isNarrow = false, ...props }: PlacedDiffProps) {
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const isSideBySide = isWide && !isNarrow && props.before !== '' && props.after !== ''
  return (
    <Suspense fallback={<Loading />}>
      <Diff key={String(isSideBySide)} {...props} isSideBySide={isSideBySide} />
    </Suspense>
  )
}
