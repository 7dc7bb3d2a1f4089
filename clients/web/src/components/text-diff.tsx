import { useMediaQuery } from '@mantine/hooks'
import { Suspense } from 'react'
import type { TextDiffProps } from './diff-props.ts'
import { Loading } from './loading.tsx'
import { lazyPart } from './lazy-part.ts'
import { isLong } from './long-text.ts'

const Drawn = lazyPart(async () => (await import('./drawn-yaml/drawn-diff.tsx')).DrawnDiff)
const Code = lazyPart(async () => (await import('./diff-view.tsx')).DiffView)

/**
 * Two versions of a text beside each other, or one below the other where there is no room or only one of them; loaded when
 * it is shown.
 */
export function TextDiff(props: TextDiffProps) {
  const { before, after } = props
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const isSideBySide = isWide && before !== '' && after !== ''
  const Shown = isLong(before) || isLong(after) ? Code : Drawn
  return (
    <Suspense fallback={<Loading />}>
      <Shown key={String(isSideBySide)} {...props} isSideBySide={isSideBySide} />
    </Suspense>
  )
}
