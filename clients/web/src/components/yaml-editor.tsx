import { Suspense } from 'react'
import { Loading } from './loading.tsx'
import { lazyPart } from './lazy-part.ts'
import type { TypedYamlProps } from './editor-props.ts'

const Editor = lazyPart(async () => (await import('./typed-yaml.tsx')).TypedYaml)

/** YAML to write; its editor is loaded when somebody begins to. Another key begins with another text. */
export function YamlEditor(props: TypedYamlProps) {
  return (
    <Suspense fallback={<Loading />}>
      <Editor {...props} />
    </Suspense>
  )
}
