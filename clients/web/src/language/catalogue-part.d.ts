declare module '*.json?first' {
  import type { CompiledMessage } from 'icu-minify/format'

  const texts: Readonly<Record<string, CompiledMessage>>
  export default texts
}

declare module '*.json?later' {
  import type { CompiledMessage } from 'icu-minify/format'

  const texts: Readonly<Record<string, CompiledMessage>>
  export default texts
}
