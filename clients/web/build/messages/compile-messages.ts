import { readFile } from 'node:fs/promises'
import compile from 'icu-minify/compile'
import type { Plugin } from 'vite'
import { catalogueKey } from '../../src/language/format-message.ts'
import { messageCalls, parseSource } from './message-calls.ts'

/** Compiles the texts of the console, where they are used and in the catalogues, so that the browser needs no parser of messages. */
export function compileMessages(): Plugin {
  return {
    name: 'compile-messages',
    load: {
      filter: { id: /\/language\/(?:catalogues\/[\w-]+\.json|read-message\.ts)$/ },
      async handler(id) {
        if (id.endsWith('.ts')) return 'export const readMessage = (message) => message'
        const rows = Object.entries(JSON.parse(await readFile(id, 'utf8')) as Record<string, string>)
        return JSON.stringify(
          Object.fromEntries(rows.map(([english, text]) => [catalogueKey(compile(english)), compile(text)])),
        )
      },
    },
    transform: {
      filter: { id: /\/clients\/web\/src\/.*\.tsx?$/, code: /\/language\/t\.ts['"]/ },
      handler(code, id) {
        return { code: withCompiledMessages(code, id), map: null }
      },
    },
  }
}

/** Returns JavaScript with compiled texts in its calls of `t`. */
export function withCompiledMessages(code: string, file: string): string {
  let compiled = ''
  let done = 0
  for (const { message, start, end } of messageCalls(parseSource(`${file}.js`, code))) {
    if (message === undefined)
      throw new Error(`${file}: the text of t is a literal: ${code.slice(start, end)}`)
    compiled += code.slice(done, start) + JSON.stringify(compile(message))
    done = end
  }
  return compiled + code.slice(done)
}
