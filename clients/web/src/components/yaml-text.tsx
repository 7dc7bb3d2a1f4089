import { Suspense } from 'react'
import { Loading } from './loading.tsx'
import { lazyPart } from './lazy-part.ts'
import { isLong } from './long-text.ts'

const Drawn = lazyPart(async () => (await import('./drawn-yaml/drawn-text.tsx')).DrawnText)
const Code = lazyPart(async () => (await import('./code-view.tsx')).CodeView)

/** YAML to read; its viewer is loaded when it is shown. @param label names it for screen readers */
export function YamlText({ text, label }: { text: string; label: string }) {
  const Shown = isLong(text) ? Code : Drawn
  return (
    <Suspense fallback={<Loading />}>
      <Shown text={text} label={label} />
    </Suspense>
  )
}
