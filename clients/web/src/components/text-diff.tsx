import { useMediaQuery } from '@mantine/hooks'
import { Suspense } from 'react'
import { Loading } from './loading.tsx'
import { lazyPart } from './lazy-part.ts'

export interface TextDiffProps {
  before: string
  after: string
  /** The names of the two sides, for readers and screen readers. */
  labels: readonly [string, string]
}

const Diff = lazyPart(async () => (await import('./diff-view.tsx')).DiffView)

/**
 * Two versions of a text beside each other, or one below the other where there is no room or only one of them; loaded when
 * it is shown.
 */
export function TextDiff(props: TextDiffProps) {
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const isSideBySide = isWide && props.before !== '' && props.after !== ''
  return (
    <Suspense fallback={<Loading />}>
      <Diff key={String(isSideBySide)} {...props} isSideBySide={isSideBySide} />
    </Suspense>
  )
}
