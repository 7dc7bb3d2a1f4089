/** The paths of all pages, as the router has them; the gateway answers these with status 200 and others with 404. */
export const pages = [
  '/',
  '/applications',
  '/applications/new',
  '/applications/$namespace/$name',
  '/environments',
  '/commit',
  '/branches',
  '/branch',
  '/findings',
  '/application-sets',
  '/application-sets/new',
  '/application-sets/$namespace/$name',
  '/impact',
  '/settings',
] as const
