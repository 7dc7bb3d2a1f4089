import { Suspense } from 'react'
import type { CodeEditorProps } from './code-editor.tsx'
import { Loading } from './loading.tsx'
import { lazyPart } from './lazy-part.ts'

const Editor = lazyPart(async () => (await import('./code-editor.tsx')).CodeEditor)

/** YAML to write; its editor is loaded when it is shown. Another key begins with another text. */
export function YamlEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Loading />}>
      <Editor {...props} />
    </Suspense>
  )
}
