import { t } from '../../../language/t.ts'
/** The labels that are set and removed. */
export interface LabelChanges {
  /** With their values. */
  labels: Record<string, string>
  removed: readonly string[]
}

/** Matches a label in the form `key=value`, as Kubernetes takes it; the server checks it once more. */
const labelPattern =
  /^(?:(?=[^/]{1,253}\/)[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?=(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/

/** Reads labels in the form `key=value`; of two with one key the last one is set. */
export function readLabels(texts: readonly string[]): { labels: Record<string, string>; error: string } {
  const wrong = texts.find((text) => !labelPattern.test(text))
  if (wrong !== undefined)
    return { labels: {}, error: t('{text} is not a label such as team=shop', { text: wrong.slice(0, 80) }) }
  const pairs = texts.map((text) => text.split('=', 2))
  return { labels: Object.fromEntries(pairs) as Record<string, string>, error: '' }
}

/** Returns in words what changes of the labels of an Application; empty if they are as wanted. */
export function labelChangeText(
  own: Readonly<Record<string, string>>,
  { labels, removed }: LabelChanges,
): string {
  const set = Object.entries(labels).flatMap(([key, value]) => {
    const before = own[key]
    if (before === value) return []
    return before === undefined
      ? t('{name} is new', { name: `${key}=${value}` })
      : t('{before} becomes {after}', { before: `${key}=${before}`, after: value })
  })
  const gone = removed.filter((key) => key in own && !(key in labels))
  return [...set, ...gone.map((key) => t('{name} is removed', { name: `${key}=${own[key]}` }))].join('; ')
}
