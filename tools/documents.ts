import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** A line of a document. */
interface DocumentLine {
  /** Counted from 1. */
  readonly line: number
  readonly text: string
  /** Set within a fenced block of code. */
  readonly isCode: boolean
}

/** A Markdown file of the project. */
export interface Document {
  /** Path relative to the project's root. */
  readonly file: string
  readonly lines: readonly DocumentLine[]
}

/** Reads the documents among the files of the project; the change log describes earlier versions and is left out. */
export async function readDocuments(root: string, files: readonly string[]): Promise<Document[]> {
  const documents = files.filter((file) =>
    /^(?:(?:README|CONTRIBUTING)|(?:docs|examples|plugins)\/.*)\.md$/.test(file),
  )
  return await Promise.all(
    documents.map(async (file) => ({ file, lines: linesOf(await readFile(path.join(root, file), 'utf8')) })),
  )
}

/** Returns the names that links give to the headings of a document, as GitHub makes them. */
export function anchorsOf(document: Document): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const { text, isCode } of document.lines) {
    const heading = isCode ? undefined : /^#{1,6} +(.+?)\s*$/.exec(text)?.[1]
    if (heading === undefined) continue
    const anchor = headingAnchor(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    let number = 0
    let name = anchor
    while (anchors.has(name)) name = `${anchor}-${++number}`
    anchors.add(name)
  }
  return anchors
}

/** Returns the name that links give to the first heading of a text, as GitHub makes it. */
export function headingAnchor(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** Returns the texts in back-ticks of a line of prose. */
export function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
}

function linesOf(text: string): DocumentLine[] {
  let fence: string | undefined
  return text.split('\n').map((line, index) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    const isFence = mark !== undefined && (fence === undefined || mark.startsWith(fence))
    const isCode = fence !== undefined || isFence
    if (isFence) fence = fence === undefined ? mark : undefined
    return { line: index + 1, text: line, isCode }
  })
}
