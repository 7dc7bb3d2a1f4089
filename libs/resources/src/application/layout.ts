import type { FieldReader } from '@wadi/fields/field-reader.ts'
import { annotationChoice } from '../annotation-choice.ts'

const filesValues = ['one-file', 'as-argo-cd', 'file-per-object'] as const
const crdsValues = ['include', 'separate', 'omit'] as const

/** Which files of a hydrated directory hold the objects. */
export interface Layout {
  /** All in `manifest.yaml`, sorted or in the order in which the tool prints them as Argo CD has it, or each in a file of its own. */
  readonly files: (typeof filesValues)[number]
  /** CustomResourceDefinitions are objects like others, all in `crds.yaml`, or not written at all. */
  readonly crds: (typeof crdsValues)[number]
}

/** The fields of the layout that an object sets. */
export type LayoutSetting = Partial<Layout>

/** The annotations of Applications and AppProjects that choose a layout. */
export const layoutAnnotations = { files: 'wadi.dev/layout', crds: 'wadi.dev/crds' } as const

/** The layout without annotations: the files of Argo CD. */
export const defaultLayout: Layout = { files: 'one-file', crds: 'include' }

/** The layout of an Application: what its own annotations do not say, those of its project do. */
export function layoutOf(annotations: Readonly<Record<string, string>>, project: LayoutSetting): Layout {
  return { ...defaultLayout, ...project, ...readSetting(annotations) }
}

/** True if all objects are in `manifest.yaml`, sorted. */
export function isDefaultLayout({ files, crds }: Layout): boolean {
  return files === defaultLayout.files && crds === defaultLayout.crds
}

/**
 * Reads a layout that a record names; what it does not name, or names in a word of a later version, is the default.
 */
export function recordedLayout(files: string, crds: string): Layout {
  return layoutOf({ [layoutAnnotations.files]: files, [layoutAnnotations.crds]: crds }, {})
}

/** Reads the layout that the annotations of an AppProject choose and notes the errors. */
export function readLayoutSetting(
  annotations: Readonly<Record<string, string>>,
  reader: FieldReader,
): LayoutSetting {
  annotationChoice(annotations, layoutAnnotations.files, filesValues, reader)
  annotationChoice(annotations, layoutAnnotations.crds, crdsValues, reader)
  return readSetting(annotations)
}

function readSetting(annotations: Readonly<Record<string, string>>): LayoutSetting {
  const files = filesValues.find((value) => value === annotations[layoutAnnotations.files])
  const crds = crdsValues.find((value) => value === annotations[layoutAnnotations.crds])
  return { ...(files && { files }), ...(crds && { crds }) }
}
