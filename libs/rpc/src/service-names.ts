/** The services of a mesh, as they call each other. */
export const serviceNames: readonly string[] = [
  'api-gateway',
  'appset-service',
  'cmp-server',
  'commit-server',
  'hydrator',
  'repo-server',
]
