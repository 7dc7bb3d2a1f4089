import path from 'node:path'
import { anchorsOf, type Document } from './documents.ts'
import type { Problem } from './problem.ts'

const link = /\]\(([^)\s]+)\)/g
const elsewhere = /^(?:https?|mailto):/

/** Checks that every relative link of the documents leads to a file or directory of the project, and every anchor to a heading. */
export function checkDocumentLinks(documents: readonly Document[], files: readonly string[]): Problem[] {
  const anchors = new Map(documents.map((document) => [document.file, anchorsOf(document)]))
  const places = new Set(files.flatMap(withDirectories))
  return documents.flatMap(({ file, lines }) =>
    lines.flatMap(({ line, text, isCode }) => {
      if (isCode) return []
      const targets = [...text.replaceAll(/`[^`]*`/g, '').matchAll(link)].map(([, target = '']) => target)
      return targets.flatMap((target) => {
        if (elsewhere.test(target)) return []
        const [name = '', anchor] = target.split('#', 2)
        const place = name === '' ? file : path.posix.join(path.posix.dirname(file), name).replace(/\/$/, '')
        if (!places.has(place)) return [{ file, line, message: `${place} does not exist` }]
        if (anchor === undefined || anchors.get(place)?.has(anchor) !== false) return []
        return [{ file, line, message: `${place} has no heading for #${anchor}` }]
      })
    }),
  )
}

/** Checks that the index of a directory's `README.md` links to every other page there. */
export function checkIndex(documents: readonly Document[], directory: string): Problem[] {
  const index = documents.find(({ file }) => file === `${directory}/README.md`)
  const text = index?.lines.map((line) => line.text).join('\n') ?? ''
  return documents.flatMap(({ file }) => {
    const isListed = file === index?.file || text.includes(`](${path.posix.basename(file)})`)
    if (isListed || path.posix.dirname(file) !== directory) return []
    return [{ file, line: 1, message: `${directory}/README.md does not list this page` }]
  })
}

function withDirectories(file: string): string[] {
  const parts = file.split('/')
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
