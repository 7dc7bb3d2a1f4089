import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import {
  normalizeRepositoryUrl,
  parseRepositoryUrl,
  redactUrl,
  type UrlPolicy,
} from '@wadi/git/repository-url.ts'
import type { Subject } from '@wadi/rbac/claims.ts'
import type { Enforcer } from '@wadi/rbac/enforcer.ts'
import type { InputGuard } from '../inputs/input-guard.ts'
import { refusal } from './refusal.ts'
import type { RepositoryRecord, RepositoryRecords } from './repository-records.ts'

/**
 * The guard that lets generators read what the subject may `get`. A repository is called as its record does that the
 * project sees, `[<project>/]<URL>`; one without a record by its bare URL. Both are refused with the same text.
 */
export function inputGuardOf(
  enforcer: Enforcer,
  subject: Subject,
  repositories: RepositoryRecords,
): InputGuard {
  const maySee = (resource: string, object: string): boolean =>
    enforcer.allows(subject, resource, 'get', object)
  return {
    async repository(repoURL, project) {
      checkAddress(repoURL, repositories.urlPolicy)
      const wanted = normalizeRepositoryUrl(repoURL)
      const object = objectOf(repoURL.trim(), project, await repositories.list())
      // Another spelling of a repository must not get around a rule that denies it.
      const isDenied = enforcer.denies(subject, 'repositories', 'get', wanted)
      if (isDenied || !maySee('repositories', object)) {
        throw refusal(subject, 'repositories', 'get', redactUrl(repoURL))
      }
    },
    clusters(clusters) {
      if (clusters.every(({ server, project }) => maySee('clusters', inProject(project, server)))) return
      throw refusal(subject, 'clusters', 'get', 'a cluster that the generators yield')
    },
  }
}

/** The guard that lets through what each of the guards does. */
export function everyGuard(guards: readonly InputGuard[]): InputGuard {
  return {
    async repository(repoURL, project) {
      for (const guard of guards) await guard.repository(repoURL, project)
    },
    clusters(clusters) {
      for (const guard of guards) guard.clusters(clusters)
    },
  }
}

/** What policies call a repository: as the record does whose credentials repo-server uses for it. */
function objectOf(repoURL: string, project: string, records: readonly RepositoryRecord[]): string {
  const wanted = normalizeRepositoryUrl(repoURL)
  const visible = records
    .filter((record) => record.project === project || record.project === '')
    .map((record) => ({ record, url: normalizeRepositoryUrl(record.repoUrl) }))
    // The longest URL first, and the project's own before that of all projects.
    .toSorted(
      (one, other) =>
        other.url.length - one.url.length || other.record.project.length - one.record.project.length,
    )
  const own = visible.find(({ record, url }) => !record.isPrefix && url === wanted)
  if (own) return inProject(own.record.project, own.record.repoUrl)
  const above = visible.find(({ record, url }) => record.isPrefix && isBelow(wanted, url))
  return inProject(above?.record.project ?? '', repoURL)
}

function isBelow(url: string, above: string): boolean {
  return url === above || url.startsWith(above.endsWith('/') ? above : `${above}/`)
}

function inProject(project: string, name: string): string {
  return project === '' ? name : `${project}/${name}`
}

/** Where clouds answer every machine with its credentials: nowhere that a repository could be. */
const metadataHost =
  /^(?:169\.254\.|\[fe[89ab]|\[::ffff:a9fe:|\[fd00:ec2::254\]$|metadata\.google\.internal\.?$)/

function checkAddress(repoURL: string, policy: UrlPolicy): void {
  const { text, transport, host } = parseRepositoryUrl(repoURL, policy)
  const refuse = (reason: string): never => {
    throw new InvalidInputError(`repository URL ${JSON.stringify(redactUrl(text))} ${reason}`)
  }
  const isHttp = transport === 'http' || transport === 'https'
  if (isHttp && /^[^:]+:\/\/[^/]*@/.test(text)) {
    refuse('contains a user name; store it as a repository credential instead')
  }
  // The parser turns every spelling of an IP address into its one form.
  const address = URL.parse(`http://${host}`)?.hostname ?? host
  if (metadataHost.test(address)) refuse('is an address of the local link, where no repository is')
}
