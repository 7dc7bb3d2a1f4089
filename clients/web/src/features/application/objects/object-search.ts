import { textList } from '../../../words/search-values.ts'
import type { ObjectIdentity } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { nonEmptyText } from '../../../words/search-values.ts'
import { t } from '../../../language/t.ts'

/** The forms in which the objects of an Application are shown, by their names in the address. */
export const objectViews = { list: t('List'), tree: t('Tree'), yaml: t('Manifests') } as const

/** A form in which objects are shown. */
export type ObjectView = keyof typeof objectViews

/** The part of the address that says which objects are shown and how. */
export interface ObjectSearch {
  /** A list without it. */
  view?: ObjectView | undefined
  text?: string | undefined
  /** Kinds such as `Deployment.apps`. */
  kind?: string[] | undefined
  /** Namespaces of objects; `-` for none. */
  within?: string[] | undefined
  /** The object that is shown, as `objectKey` names it. */
  object?: string | undefined
}

/** The place of a namespace, in the address, for objects without one. */
export const noNamespace = '-'

/** The part of an object that names it. */
type NamedObject = Pick<ObjectIdentity, 'group' | 'kind' | 'namespace' | 'name'>

/** Reads the part of an address; what it does not understand is left out. */
export function readObjectSearch({
  view,
  text,
  kind,
  within,
  object,
}: Record<string, unknown>): ObjectSearch {
  return {
    view: isObjectView(view) && view !== 'list' ? view : undefined,
    text: nonEmptyText(text),
    kind: textList(kind),
    within: textList(within),
    object: typeof object === 'string' && objectOfKey(object) ? object : undefined,
  }
}

/** Returns true if a text names a form. */
export function isObjectView(text: unknown): text is ObjectView {
  return typeof text === 'string' && Object.hasOwn(objectViews, text)
}

/** Returns what the address calls an object: `Deployment.apps/shop/web`. */
export function objectKey({ group, kind, namespace, name }: NamedObject): string {
  return `${group === '' ? kind : `${kind}.${group}`}/${namespace}/${name}`
}

/** Returns the object that an address names; undefined for a text that names none. */
export function objectOfKey(key: string): NamedObject | undefined {
  const [, kind = '', group = '', namespace = '', name = ''] =
    /^([^./]+)(?:\.([^/]+))?\/([^/]*)\/(.*)$/s.exec(key) ?? []
  return kind === '' ? undefined : { group, kind, namespace, name }
}
