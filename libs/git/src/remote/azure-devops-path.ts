/**
 * Returns organization, project and name of a repository of Azure DevOps, which has a host and a form for each transport and, from before
 * 2018, for each organization; undefined for other hosts. A project's repository of the same name may be named once.
 * @param host without user and port
 */
export function azureDevOpsPath(host: string, path: readonly string[]): string[] | undefined {
  const [, old] = /^(.+)\.visualstudio\.com$/.exec(host) ?? []
  if (!/^(?:ssh\.)?dev\.azure\.com$/.test(host) && old === undefined) return undefined
  const isSsh = /^v\d$/.test(path[0] ?? '') && path.length === 4
  const parts = isSsh ? path.slice(1) : [...(old === undefined ? [] : [old]), ...path]
  const [organization = '', ...rest] = parts.filter((part) => part !== '_full' && part !== '_optimized')
  const inProject = rest[0]?.toLowerCase() === 'defaultcollection' ? rest.slice(1) : rest
  const [project, repository] = inProject.filter((part) => part !== '_git' && part !== '_ssh')
  return project === undefined ? undefined : [organization, project, repository ?? project]
}
