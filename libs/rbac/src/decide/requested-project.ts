/** Resources whose objects may begin with a project and a slash. */
const inProjects = new Set([
  'applications',
  'applicationsets',
  'repositories',
  'clusters',
  'logs',
  'exec',
  'secrets',
])

/** Returns the name of the project whose roles apply to a request, whether there is such a project or not. */
export function requestedProject(resource: string, object: string): string | undefined {
  if (resource === 'projects') return object
  const slash = object.indexOf('/')
  return slash !== -1 && inProjects.has(resource) ? object.slice(0, slash) : undefined
}

/** Returns the project of a token of a project role (`proj:<project>:<role>`), undefined for any other subject. */
export function projectOfToken(subject: string): string | undefined {
  return /^proj:([^:]*):[^:]*$/s.exec(subject)?.[1]
}
