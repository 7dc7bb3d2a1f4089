import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import type { UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import { defineSettings } from '@wadi/rpc/service-settings.ts'
import { clusterSettings } from '@wadi/state/state-settings.ts'

/** Which URLs a service accepts for repositories. */
export const urlPolicySettings = defineSettings({
  allowFileUrls: {
    type: 'boolean',
    flag: 'allow-file-urls',
    env: 'WADI_ALLOW_FILE_URLS',
    default: 'false',
    description:
      'Whether repositories may be directories of this machine (file://); set the same for every service.',
  },
  plainHttp: {
    type: 'choice',
    flag: 'plain-http',
    env: 'WADI_PLAIN_HTTP',
    choices: ['never', 'loopback', 'always'],
    default: 'loopback',
    description: 'Where repositories may be reached by http:// without TLS; set the same for every service.',
  },
})

/** The settings of a service that works with repositories. */
export const repositorySettings = defineSettings({
  ...clusterSettings,
  credentialsFile: {
    type: 'string',
    flag: 'credentials-file',
    env: 'WADI_CREDENTIALS_FILE',
    description:
      "Database of the credentials that only this service has, with the store sqlite; default: credentials.db in the service's part of the data directory.",
  },
  instance: {
    type: 'string',
    flag: 'instance',
    env: 'WADI_INSTANCE',
    description:
      'Name of this process among those that share the data directory, where it keeps its mirrors; default: host name and address.',
  },
  ...urlPolicySettings,
  allowedNetworks: {
    type: 'list',
    flag: 'allowed-networks',
    env: 'WADI_ALLOWED_NETWORKS',
    default: '',
    description:
      'Networks (10.1.0.0/16) and hosts (git.internal, *.internal) outside the public internet that repositories may be in; hosts of stored repositories and credentials are always allowed.',
  },
  gitFetch: {
    type: 'choice',
    choices: ['needed', 'whole'],
    flag: 'git-fetch',
    env: 'WADI_GIT_FETCH',
    default: 'needed',
    description:
      'What is fetched of repositories: needed for the trees of the commits in use, and files and history when they are read, from servers behind http and https that offer parts of repositories; whole for everything. A copy that is whole stays so.',
  },
  gitDiskLimit: {
    type: 'bytes',
    flag: 'git-disk-limit',
    env: 'WADI_GIT_DISK_LIMIT',
    description:
      'Maximum size on disk of the copies of repositories of a service; the least recently used are removed first, and fetched again when they are needed. One that is used now stays. Default: none, and copies are removed when the disk is full.',
  },
  gitHttp: {
    type: 'choice',
    flag: 'git-http',
    env: 'WADI_GIT_HTTP',
    choices: ['built-in', 'git'],
    default: 'built-in',
    description:
      'Who speaks with git servers behind http and https: the built-in client, which keeps connections open, or the program git, for a server that the built-in client has trouble with.',
  },
})

/** Which repository URLs the settings allow. */
export function urlPolicy(settings: {
  allowFileUrls: boolean
  plainHttp: UrlPolicy['allowPlainHttp']
}): UrlPolicy {
  return { allowFile: settings.allowFileUrls, allowPlainHttp: settings.plainHttp }
}

/** Returns the directories of a service: its replicas share its credentials, its mirrors belong to one process. */
export function repositoryDirectories(
  service: string,
  settings: {
    dataDirectory: string
    listen: string
    credentialsFile: string | undefined
    instance: string | undefined
  },
): { credentials: string; own: string; shared: string } {
  const shared = resolve(settings.dataDirectory, service)
  const instance = settings.instance ?? `${hostname()}-${settings.listen}`
  return {
    credentials: settings.credentialsFile ?? join(shared, 'credentials.db'),
    own: join(shared, instance.replaceAll(/[^\w.-]+/gu, '-')),
    shared,
  }
}
