import { readFile } from 'node:fs/promises'
import compile from 'icu-minify/compile'
import type { Plugin } from 'vite'
import { catalogueKey } from '../../src/language/format-message.ts'
import { readFirstSources } from './first-sources.ts'
import { messageCalls, parseSource } from './message-calls.ts'

/**
 * Compiles the texts of the console, where they are used and in the catalogues, so that the browser needs no parser of messages. A
 * catalogue has two parts: the texts of the first page, and those of all others.
 */
export function compileMessages(): Plugin {
  let firstTexts: ReadonlySet<string | undefined>
  return {
    name: 'compile-messages',
    async buildStart() {
      const sources = await readFirstSources(this.environment.config.root)
      firstTexts = new Set(sources.flatMap(messageCalls).map(({ message }) => message))
    },
    load: {
      filter: { id: /\/language\/(?:catalogues\/[\w-]+\.json\?(?:first|later)|read-message\.ts)$/ },
      async handler(id) {
        const [file = '', part] = id.split('?')
        if (part === undefined) return 'export const readMessage = (message) => message'
        const rows = Object.entries(JSON.parse(await readFile(file, 'utf8')) as Record<string, string>)
        const texts = rows
          .filter(([english]) => firstTexts.has(english) === (part === 'first'))
          .map(([english, text]) => [catalogueKey(compile(english)), compile(text)])
        return `export default ${JSON.stringify(Object.fromEntries(texts))}`
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
