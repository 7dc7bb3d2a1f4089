import { Suspense } from 'react'
import { Loading } from './loading.tsx'
import { lazyPart } from './lazy-part.ts'

const Code = lazyPart(async () => (await import('./code-view.tsx')).CodeView)

/** YAML to read; its viewer is loaded when it is shown. @param label names it for screen readers */
export function YamlText({ text, label }: { text: string; label: string }) {
  return (
    <Suspense fallback={<Loading />}>
      <Code text={text} label={label} />
    </Suspense>
  )
}
