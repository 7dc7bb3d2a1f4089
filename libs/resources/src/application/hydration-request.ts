/** The annotation by which users of Wadi and of Argo CD's hydrator ask for a hydration. */
export const hydrateAnnotation = 'argocd.argoproj.io/hydrate'

/** The annotations by which users and Argo CD's tools ask for a hydration. */
export const requestAnnotations: readonly string[] = ['argocd.argoproj.io/refresh', hydrateAnnotation]

type Annotations = Readonly<Record<string, string>>

/** Returns the annotation that distinguishes a request from the previous one, as Argo CD 3.6 writes it. */
export function timestampOf(request: string): string {
  return `${request}-timestamp`
}

/** Everything that is written for a request, and removed when it is served. */
export const writtenForRequests: readonly string[] = requestAnnotations.flatMap((key) => [
  key,
  timestampOf(key),
])

/** Returns what annotations ask for: `hard` or, with any other value, `normal`; empty when they ask for nothing. */
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

/** The merge patch that removes a served request. */
export const withoutRequest: Readonly<Record<string, null>> = Object.fromEntries(
  writtenForRequests.map((key) => [key, null]),
)
