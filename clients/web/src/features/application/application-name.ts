/** The Application that a part of the page is about. */
export interface ApplicationName {
  namespace: string
  name: string
}

/** The dry source of an Application that parameters belong to. */
export interface SourceName extends ApplicationName {
  /** The place among all sources, from 1; 0 for the first with manifests. */
  sourcePosition: number
}
