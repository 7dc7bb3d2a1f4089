/** The paths of all pages, as the router has them; the gateway answers these with the console and no others. */
export const pages = [
  '/',
  '/applications',
  '/applications/new',
  '/applications/$namespace/$name',
  '/branches',
  '/branch',
  '/application-sets',
  '/application-sets/$namespace/$name',
  '/impact',
  '/settings',
] as const
