import { codeSpans, type Document } from './documents.ts'
import type { Problem } from './problem.ts'

/** The names that documents may use. */
export interface KnownNames {
  /** All files of the project, as paths relative to its root. */
  readonly files: readonly string[]
  /** Environment variables of Wadi. */
  readonly variables: ReadonlySet<string>
  /** Commands of `wadi`, each with the words that may follow it; undefined for a command without sub-commands. */
  readonly commands: ReadonlyMap<string, ReadonlySet<string> | undefined>
  /** Flags of any command of `wadi`, with their dashes. */
  readonly flags: ReadonlySet<string>
}

const sourceName = /^[\w.-]+(?:\/[\w.-]+)*\.(?:ts|tsx|mjs|proto|go)$/
const pathInTree =
  /^(?:bench|clients|deploy|docs|examples|fuzz|integration-tests|libs|mesh|proto|services|tools)\/[\w./-]+$/
/** Names that look like ours: a built directory, a parameter of a workload, and a page of Argo CD. */
const others = new Set(['clients/web/dist', 'deploy/replicas', 'docs/proposals/manifest-hydrator.md'])
const variable = /\bWADI_[A-Z_]*[A-Z]\b/g
/** A command at the beginning of a text or of one in a pipeline. */
const command = /(?:^|[|;&(])\s*(?:\.\/)?wadi ([a-z]\S*)(?: ([a-z][a-z-]*)\b)?([^|;&>]*)/g

/** Checks that the files, variables, commands and flags that the documents name exist. */
export function checkDocumentNames(documents: readonly Document[], known: KnownNames): Problem[] {
  return documents.flatMap(({ file, lines }) =>
    lines.flatMap(({ line, text, isCode }) => {
      const code = isCode ? [text] : codeSpans(text)
      const names = isCode ? [] : code.filter((span) => sourceName.test(span) || pathInTree.test(span))
      return [
        ...names
          .filter((name) => !others.has(name) && !isFile(name, known.files))
          .map((name) => `no file or directory is named ${name}`),
        ...[...text.matchAll(variable)]
          .filter(([name]) => !known.variables.has(name))
          .map(([name]) => `${name} is not a setting`),
        ...code.flatMap((words) => unknownCommands(words, known)),
      ].map((message) => ({ file, line, message }))
    }),
  )
}

/** A name matches the end of a path; one with a directory of the tree, also its beginning. */
function isFile(name: string, files: readonly string[]): boolean {
  const directory = `${name.replace(/\/$/, '')}/`
  return files.some((file) => file === name || file.endsWith(`/${name}`) || file.startsWith(directory))
}

function unknownCommands(text: string, { commands, flags }: KnownNames): string[] {
  return [...text.matchAll(command)].flatMap(([, name = '', next, rest = '']) => {
    if (!/^[a-z][a-z-]*$/.test(name)) return []
    if (!commands.has(name)) return [`wadi has no command ${name}`]
    const words = commands.get(name)
    if (words !== undefined && next !== undefined && !words.has(next))
      return [`wadi ${name} has no command ${next}`]
    const named = rest.match(/(?<=\s)--[a-z][a-z-]*/g) ?? []
    return named.filter((flag) => !flags.has(flag)).map((flag) => `wadi has no flag ${flag}`)
  })
}
