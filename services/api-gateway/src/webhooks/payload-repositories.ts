import { at } from './payload-value.ts'

/** Finds the URLs under which the repository of a payload can be cloned. */
export type FindRepositories = (payload: unknown) => string[]

const urlFields = ['clone_url', 'ssh_url', 'html_url', 'git_http_url', 'git_ssh_url', 'web_url', 'url']

/** Payloads whose `repository` or `project` has its URLs as fields: GitHub, GitLab, Gitea, Forgejo, Gogs. */
export const repositoryFields: FindRepositories = (payload) =>
  ['repository', 'project'].flatMap((part) => urlFields.flatMap((name) => texts(at(payload, part, name))))

/** Bitbucket Cloud: the page of the repository. */
export const bitbucketCloudRepository: FindRepositories = (payload) =>
  texts(at(payload, 'repository', 'links', 'html', 'href'))

/** Bitbucket Server and Data Center: links to clone; a payload without them has the page of the repository. */
export const bitbucketServerRepository: FindRepositories = (payload) => {
  const repository =
    at(payload, 'repository') ?? at(payload, 'pullRequest', 'toRef', 'repository') ?? undefined
  const clone = at(repository, 'links', 'clone')
  const links = (Array.isArray(clone) ? clone : []).flatMap((link: unknown) => texts(at(link, 'href')))
  const self = at(repository, 'links', 'self')
  const pages = (Array.isArray(self) ? self : []).flatMap((link: unknown) => texts(at(link, 'href')))
  return [...links, ...pages.flatMap(clonedFromPage)]
}

/** Azure DevOps: the address of the repository. */
export const azureDevOpsRepository: FindRepositories = (payload) =>
  texts(at(payload, 'resource', 'repository', 'remoteUrl'))

/** `https://host/context/projects/KEY/repos/NAME/browse` is cloned from `https://host/context/scm/key/name.git`, that of a user from `scm/~user`. */
function clonedFromPage(page: string): string[] {
  const [, base, kind, key, name] =
    /^(https?:\/\/.+)\/(projects|users)\/([^/]+)\/repos\/([^/]+)\/browse$/.exec(page) ?? []
  return base && key && name
    ? [`${base}/scm/${kind === 'users' ? '~' : ''}${key.toLowerCase()}/${name}.git`]
    : []
}

/** A string as a list of one, and an empty list for anything else; a user and a password in an address are left out. */
function texts(value: unknown): string[] {
  if (typeof value !== 'string' || value === '') return []
  const url = /^https?:/i.test(value) ? URL.parse(value) : null
  if (url === null || (url.username === '' && url.password === '')) return [value]
  url.username = ''
  url.password = ''
  return [url.href]
}
