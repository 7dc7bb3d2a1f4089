import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isArtifactUrl, readArtifactLocation } from '@wadi/git/remote/chart-location.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { parseRepositoryUrl, redactUrl, type UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import type { Subject } from '@wadi/rbac/decide/claims.ts'
import type { Enforcer } from '@wadi/rbac/decide/enforcer.ts'
import type { InputGuard } from '@wadi/application-sets/inputs/input-guard.ts'
import { rejection } from './rejection.ts'
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
    async repository(repoUrl, project) {
      checkAddress(repoUrl, repositories.urlPolicy)
      const text = repoUrl.trim()
      const { owner, url } = namedBy(text, project, await repositories.list())
      // Another spelling of a repository must not get around a rule that denies it.
      const isDenied = spellingsOf(text)
        .flatMap((spelling) => [spelling, inProject(owner, spelling)])
        .some((spelling) => enforcer.denies(subject, 'repositories', 'get', spelling))
      if (isDenied || !maySee('repositories', inProject(owner, url))) {
        throw rejection(subject, 'repositories', 'get', redactUrl(repoUrl))
      }
    },
    clusters(clusters) {
      if (clusters.every(({ server, project }) => maySee('clusters', inProject(project, server)))) return
      throw rejection(subject, 'clusters', 'get', 'a cluster that the generators yield')
    },
  }
}

/** The guard that lets through what each of the guards does. */
export function everyGuard(guards: readonly InputGuard[]): InputGuard {
  return {
    async repository(repoUrl, project) {
      for (const guard of guards) await guard.repository(repoUrl, project)
    },
    clusters(clusters) {
      for (const guard of guards) guard.clusters(clusters)
    },
  }
}

/** Returns the name of a repository in policies: that of the record whose credentials repo-server uses for it. */
function namedBy(
  repoUrl: string,
  project: string,
  records: readonly RepositoryRecord[],
): { owner: string; url: string } {
  const wanted = normalizeRepositoryUrl(repoUrl)
  const visible = records
    .filter((record) => record.project === project || record.project === '')
    .map((record) => ({ record, url: normalizeRepositoryUrl(record.repoUrl) }))
    // The longest URL first, and the project's own before that of all projects.
    .toSorted(
      (one, other) =>
        other.url.length - one.url.length || other.record.project.length - one.record.project.length,
    )
  const own = visible.find(({ record, url }) => !record.isPrefix && url === wanted)
  if (own) return { owner: own.record.project, url: own.record.repoUrl }
  const above = visible.find(({ record, url }) => record.isPrefix && isBelow(wanted, url))
  return { owner: above?.record.project ?? '', url: repoUrl }
}

/** The addresses that lead to a repository by one transport, in lower case. */
function spellingsOf(repoUrl: string): string[] {
  const plain = normalizeRepositoryUrl(repoUrl.replace(defaultPort, '$1'))
  const isSsh = !plain.includes('://') && !plain.startsWith('/')
  const forms = isSsh ? [plain, `ssh://${plain}`, plain.replace('/', ':')] : [plain]
  return forms.flatMap((form) => [form, `${form}.git`])
}

function isBelow(url: string, above: string): boolean {
  return url === above || url.startsWith(above.endsWith('/') ? above : `${above}/`)
}

function inProject(project: string, name: string): string {
  return project === '' ? name : `${project}/${name}`
}

const defaultPort = /^(https:\/\/[^/]*(?=:443\/)|http:\/\/[^/]*(?=:80\/)|ssh:\/\/[^/]*(?=:22\/)):\d+/i

/** Parts that servers and git itself take out of a path, so that policies would be asked about another repository. */
const ambiguousPath = /\/\/|(?:^|[/:])\.\.?(?:\/|$)/

/** Escapes of what needs none, or is taken for the end of a name. */
const needlessEscape = /%(?:2[def]|3\d|[46][1-9a-f]|5[0-9acf]|7[0-9ae])/i

/** Matches the addresses at which clouds give every machine its credentials: no repository can be there. */
const metadataHost =
  /^(?:169\.254\.|100\.100\.100\.200$|\[fe[89ab]|\[::ffff:a9fe:|\[fd00:ec2::254\]$|\[fd20:ce::254\]$|metadata\.google\.internal\.?$)/

function checkAddress(repoUrl: string, policy: UrlPolicy): void {
  const { text, transport, host } = isArtifactUrl(repoUrl)
    ? parseRepositoryUrl(`${readArtifactLocation(repoUrl, policy).baseUrl}/v2`, policy)
    : parseRepositoryUrl(repoUrl, policy)
  const refuse = (reason: string): never => {
    throw new InvalidInputError(`repository URL ${JSON.stringify(redactUrl(text))} ${reason}`)
  }
  const isHttp = transport === 'http' || transport === 'https'
  if (isHttp && /^[^:]+:\/\/[^/]*@/.test(text)) {
    refuse('contains a user name; store it with "wadi repo add" instead')
  }
  if (ambiguousPath.test(text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')) || needlessEscape.test(text)) {
    refuse('must be written plainly: without "//", "." and ".." in its path, and without needless escapes')
  }
  // The parser turns every spelling of an IP address into its one form.
  const address = URL.parse(`http://${host}`)?.hostname ?? host
  if (metadataHost.test(address)) refuse('is an address of the local link, where no repository is')
}
