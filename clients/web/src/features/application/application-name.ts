/** Which Application a part of the page is about. */
export interface ApplicationName {
  namespace: string
  name: string
}
