/** The annotations by which users and Argo CD's tools ask for a hydration. */
const requestAnnotations = ['argocd.argoproj.io/hydrate', 'argocd.argoproj.io/refresh']

type Annotations = Readonly<Record<string, string>>

/** The annotation beside a request that tells it from the one before, as Argo CD 3.6 writes it. */
function timestampOf(request: string): string {
  return `${request}-timestamp`
}

/** What annotations ask for: `hard` or, with any other value, `normal`; empty when they ask for nothing. */
export function requestOf(annotations: Annotations): string {
  const asked = requestAnnotations.filter((key) => Object.hasOwn(annotations, key))
  if (asked.some((key) => annotations[key] === 'hard')) return 'hard'
  return asked.length > 0 ? 'normal' : ''
}

/** Tells a request from any other, also from one of the same kind; empty when the annotations ask for nothing. */
export function requestIdOf(annotations: Annotations): string {
  const request = requestOf(annotations)
  if (request === '') return ''
  const asked = requestAnnotations.filter((key) => Object.hasOwn(annotations, key))
  return [request, ...asked.map((key) => `${key} ${annotations[timestampOf(key)] ?? ''}`)].join('\n')
}

/** The annotations after a request was served. */
export const withoutRequest: Readonly<Record<string, null>> = Object.fromEntries(
  requestAnnotations.flatMap((key) => [
    [key, null],
    [timestampOf(key), null],
  ]),
)
