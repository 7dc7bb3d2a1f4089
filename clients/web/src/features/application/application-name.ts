/** Which Application a part of the page is about. */
export interface ApplicationName {
  namespace: string
  name: string
}

/** Which of the dry sources of an Application parameters are of. */
export interface SourceName extends ApplicationName {
  /** The place among all sources, from 1; 0 for the first with manifests. */
  sourcePosition: number
}
