import { errorMessage } from '@wadi/errors/domain-error.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import type { FieldReader } from '@wadi/fields/field-reader.ts'
import { compileProjectGlob } from './project-glob.ts'

/** The part of a repository's history that must be signed: only the wanted revision, or all commits that it is built on. */
type SignatureMode = 'head' | 'strict'

/** One policy of `spec.sourceIntegrity.git.policies`. */
export interface SignaturePolicy {
  /** Returns true if the policy applies to a repository. */
  matches: (repoUrl: string) => boolean
  /** `none` asks for nothing. */
  mode: SignatureMode | 'none'
  /** Permitted GPG keys: upper-case key ids of 16 digits or fingerprints of 40. */
  gpgKeys: readonly string[]
  /** Permitted SSH signers: principals of allowed signers, or fingerprints `SHA256:…`. */
  sshSigners: readonly string[]
}

/** A project's requirement for the commits of one repository. */
export interface SignatureRequirement {
  project: string
  mode: SignatureMode
  gpgKeys: readonly string[]
  sshSigners: readonly string[]
  /** The reason why no commit can be accepted, regardless of its signer; empty if the project's policies are clear. */
  error: string
}

const policyFields = ['repos', 'gpg', 'ssh']

/**
 * Reads `spec.signatureKeys` and `spec.sourceIntegrity` of an AppProject. As in Argo CD, signature keys stand for one
 * policy for all repositories in mode `head`, and do not apply beside `sourceIntegrity.git`. The block `ssh` of a
 * policy is Wadi's own. An invalid policy is an error: a policy that is dropped would permit everything.
 */
export function readSignaturePolicies(
  spec: Record<string, unknown>,
  reader: FieldReader,
): readonly SignaturePolicy[] {
  const legacyKeys = reader.list(spec, 'signatureKeys', 'spec.').map((item, index) => {
    const at = `spec.signatureKeys[${index}]`
    const fields = recordOf(item, at, reader)
    return keyId(reader.requiredString(fields, 'keyID', `${at}.`), `${at}.keyID`, reader)
  })
  const integrity = reader.object(spec, 'sourceIntegrity', 'spec.') ?? {}
  onlyFields(integrity, ['git'], 'spec.sourceIntegrity', reader)
  const git = reader.object(integrity, 'git', 'spec.sourceIntegrity.')
  if (git) {
    onlyFields(git, ['policies'], 'spec.sourceIntegrity.git', reader)
    return reader
      .list(git, 'policies', 'spec.sourceIntegrity.git.')
      .map((item, index) => readPolicy(item, `spec.sourceIntegrity.git.policies[${index}]`, reader))
  }
  if (legacyKeys.length === 0) return []
  return [{ matches: () => true, mode: 'head', gpgKeys: legacyKeys, sshSigners: [] }]
}

/**
 * Returns what a project asks of the commits of a repository; undefined when it asks for nothing. Several policies for
 * one repository contradict each other, so they refuse every commit, as in Argo CD.
 */
export function signatureRequirement(
  project: { name: string; signaturePolicies: readonly SignaturePolicy[] },
  repoUrl: string,
): SignatureRequirement | undefined {
  const policies = project.signaturePolicies.filter(({ matches }) => matches(repoUrl))
  const [policy] = policies
  if (!policy) return undefined
  const { mode, gpgKeys, sshSigners } = policy
  if (policies.length > 1) {
    const error =
      `${policies.length} policies of spec.sourceIntegrity.git match this repository; ` +
      'change their repos so that one of them does'
    return { project: project.name, mode: 'head', gpgKeys: [], sshSigners: [], error }
  }
  return mode === 'none' ? undefined : { project: project.name, mode, gpgKeys, sshSigners, error: '' }
}

function readPolicy(item: unknown, at: string, reader: FieldReader): SignaturePolicy {
  const fields = recordOf(item, at, reader)
  onlyFields(fields, policyFields, at, reader)
  const patterns = reader.list(fields, 'repos', `${at}.`).map((repo, index) => {
    const place = `${at}.repos[${index}]`
    const repoFields = recordOf(repo, place, reader)
    onlyFields(repoFields, ['url'], place, reader)
    return repositoryPattern(reader.requiredString(repoFields, 'url', `${place}.`), `${place}.url`, reader)
  })
  const gpg = reader.object(fields, 'gpg', `${at}.`)
  const ssh = reader.object(fields, 'ssh', `${at}.`)
  if (!gpg && !ssh) reader.report(`${at} needs gpg or ssh, which say whose signatures are permitted`)
  const gpgMode = gpg && readMode(gpg, 'keys', `${at}.gpg`, reader)
  const sshMode = ssh && readMode(ssh, 'signers', `${at}.ssh`, reader)
  if (gpgMode && sshMode && gpgMode !== sshMode) {
    reader.report(
      `${at}.gpg.mode and ${at}.ssh.mode must be equal: a commit with either signature is accepted`,
    )
  }
  const includes = patterns.filter(({ denies }) => !denies)
  const excludes = patterns.filter(({ denies }) => denies)
  return {
    matches: (repoUrl) =>
      includes.some(({ matches }) => matches(repoUrl)) && !excludes.some(({ matches }) => matches(repoUrl)),
    mode: gpgMode ?? sshMode ?? 'head',
    gpgKeys: gpg
      ? reader.strings(gpg, 'keys', `${at}.gpg.`).map((key) => keyId(key, `${at}.gpg.keys`, reader))
      : [],
    sshSigners: ssh ? reader.strings(ssh, 'signers', `${at}.ssh.`) : [],
  }
}

function readMode(
  fields: Record<string, unknown>,
  list: string,
  at: string,
  reader: FieldReader,
): SignaturePolicy['mode'] {
  onlyFields(fields, ['mode', list], at, reader)
  const mode = reader.requiredString(fields, 'mode', `${at}.`)
  if (mode === 'none' || mode === 'head' || mode === 'strict') return mode
  if (mode !== '') reader.report(`${at}.mode must be none, head or strict, not ${JSON.stringify(mode)}`)
  return 'strict'
}

/** A pattern `!x` takes repositories out again. Both are compared in the spelling that all URLs of a repository share. */
function repositoryPattern(text: string, at: string, reader: FieldReader) {
  const denies = text.startsWith('!')
  const pattern = denies ? text.slice(1) : text
  try {
    const [asWritten, normalized] = [
      compileProjectGlob(pattern),
      compileProjectGlob(normalizeRepositoryUrl(pattern)),
    ]
    const matches = (repoUrl: string) => asWritten(repoUrl) || normalized(normalizeRepositoryUrl(repoUrl))
    return { denies, matches }
  } catch (error) {
    reader.report(`${at}: ${errorMessage(error)}`)
    return { denies, matches: () => !denies }
  }
}

/** Short ids can be made to order, so that 16 digits are the least; a fingerprint is taken as the whole. */
function keyId(text: string, at: string, reader: FieldReader): string {
  const id = text.replace(/^0x/i, '').toUpperCase()
  if (text !== '' && !/^(?:[0-9A-F]{16}|[0-9A-F]{40})$/.test(id)) {
    reader.report(
      `${at} must be a key id of 16 hexadecimal digits or a fingerprint of 40, not ${JSON.stringify(text)}`,
    )
  }
  return id
}

function recordOf(item: unknown, at: string, reader: FieldReader): Record<string, unknown> {
  return reader.isObject(item, at) ? item : {}
}

function onlyFields(
  fields: Record<string, unknown>,
  known: readonly string[],
  at: string,
  reader: FieldReader,
): void {
  reader.known(fields, known, `${at}.`)
}
