import { applySplices, type Splice } from '@wadi/rendering/parameters/yaml-edit/yaml-splice.ts'
import { namedKind } from '../../diff/local/application-files.ts'
import type { FileChange } from '../file-change.ts'
import { type TemplateDocument, templateDocuments } from './template-document.ts'

/** The field by which objects name the document that they are made of. It is in no file. */
export const documentField = 'wadi.dev/document'

/** The texts of templates by their paths. */
export type TemplateTexts = ReadonlyMap<string, string>

/** A document with its file, and an id that its objects name. */
export interface MarkedDocument extends TemplateDocument {
  readonly id: string
  readonly file: string
}

/** Returns the documents of templates that make Applications. */
export function markedDocuments(texts: TemplateTexts): MarkedDocument[] {
  return Array.from(texts, ([file, text]) =>
    templateDocuments(text).map((document, index) => ({ ...document, file, id: `${file} ${index}` })),
  ).flat()
}

/** Returns the templates with their documents marked, and some changed. */
export function markedFiles(
  texts: TemplateTexts,
  documents: readonly MarkedDocument[],
  changes: ReadonlyMap<string, Splice> = new Map(),
): FileChange[] {
  const byFile = Map.groupBy(documents, ({ file }) => file)
  return Array.from(texts, ([path, before]) => {
    const splices = (byFile.get(path) ?? []).flatMap(({ id, spec }) => {
      const change = changes.get(id)
      const mark = { start: spec, end: spec, text: `${documentField}: ${JSON.stringify(id)}\n` }
      return change ? [mark, change] : [mark]
    })
    return { path, before, after: applySplices(before, splices, '\n') }
  })
}

/** Returns how many objects of the kinds Application and ApplicationSet a template has, by its lines that are no comments. */
export function kindCount(text: string): number {
  return text.split('\n').filter((line) => namedKind.test(line) && !line.trimStart().startsWith('#')).length
}
