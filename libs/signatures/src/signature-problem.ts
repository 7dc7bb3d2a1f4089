import { someInLine } from '@wadi/errors/some-of.ts'
import type { SignatureCheck, SigningKey } from './signature-check.ts'
import type { SignedObject } from './signed-object.ts'

/** Whose signatures a project permits. */
export interface PermittedKeys {
  /** Upper-case key ids of 16 digits or fingerprints of 40. */
  gpgKeys: readonly string[]
  /** Principals or fingerprints `SHA256:…`. */
  sshSigners: readonly string[]
}

/** The reason why an object is not accepted, and the advice. */
export interface SignatureProblem {
  text: string
  advice: string
}

/** Returns what is wrong with the signature of an object for a project; undefined when it is accepted. */
export function signatureProblem(
  object: SignedObject,
  check: SignatureCheck,
  permitted: PermittedKeys,
): SignatureProblem | undefined {
  const subject = `${object.type} ${object.type === 'tag' ? object.name : object.sha} by ${object.by}`
  const signWith = `sign it with ${listed([...permitted.gpgKeys, ...permitted.sshSigners])} and push it again`
  switch (check.kind) {
    case 'unsigned':
      return { text: `${subject} is not signed`, advice: signWith }
    case 'unreadable':
      return { text: `${subject} has a signature that cannot be verified: ${check.reason}`, advice: signWith }
    case 'bad':
      return {
        text: `${subject} has a bad signature of ${keyText(check.key)}: its content is not what was signed`,
        advice: 'find out who pushed it',
      }
    case 'unknownKey':
      return {
        text: `${subject} is signed with ${keyText(check.key)}, which is unknown`,
        advice: addKey(check.key),
      }
    case 'expired':
      return check.what === 'key'
        ? {
            text: `${subject} is signed with ${keyText(check.key)}, which expired${dated(' on ', check.at)}`,
            advice: `${renewal(check.key)}, or sign with another key`,
          }
        : {
            text: `${subject} has a signature of ${keyText(check.key)} that expired${dated(' on ', check.at)}`,
            advice: signWith,
          }
    case 'notYetValid':
      return {
        text: `${subject} is signed with ${keyText(check.key)}, which is valid${dated(' after ', check.at)} only`,
        advice: signWith,
      }
    case 'revoked':
      return { text: `${subject} is signed with ${keyText(check.key)}, which is revoked`, advice: signWith }
    default:
      return isPermitted(check.key, permitted) ? undefined : notListed(subject, check.key, signWith)
  }
}

/**
 * Returns who signed an object as a part of a sentence about it: a person whose key is known and permitted by all policies, a key that is
 * not allowed, or nobody.
 */
export function signerText(check: SignatureCheck, policies: readonly PermittedKeys[]): string {
  if (check.kind === 'unsigned') return 'unsigned'
  if (check.kind === 'unreadable') return `with a signature that cannot be verified: ${check.reason}`
  if (check.kind === 'bad') return `with a bad signature of ${keyText(check.key)}`
  const { scheme, shown, owner } = check.key
  const isAllowed = check.kind === 'good' && policies.every((policy) => isPermitted(check.key, policy))
  const reasons = {
    expired: ', which expired',
    notYetValid: ', which is not valid yet',
    revoked: ', which is revoked',
  }
  const reason = check.kind === 'good' || check.kind === 'unknownKey' ? '' : reasons[check.kind]
  if (!isAllowed) return `signed by a key that is not allowed: ${keyText(check.key)}${reason}`
  const key = `${scheme === 'gpg' ? 'GPG' : 'SSH'} key ${shown}`
  return owner === '' ? `signed by ${key}` : `signed by ${owner}, ${key}`
}

/** Joins problems to one text; each advice is given once. */
export function problemsText(problems: readonly SignatureProblem[]): string {
  const advice = [...new Set(problems.map((problem) => problem.advice))]
  return `${problems.map(({ text }) => text).join('; ')}; ${advice.join('; ')}`
}

function isPermitted({ scheme, names }: SigningKey, { gpgKeys, sshSigners }: PermittedKeys): boolean {
  if (scheme === 'ssh') return names.some((name) => sshSigners.includes(name))
  return names.some((fingerprint) =>
    gpgKeys.some((key) => fingerprint === key || (key.length === 16 && fingerprint.endsWith(key))),
  )
}

function notListed(subject: string, key: SigningKey, signWith: string): SignatureProblem {
  return {
    text: `${subject} is signed with ${keyText(key)}, which the project does not list`,
    advice: `add the key to the project if you trust it, or ${signWith}`,
  }
}

function keyText({ scheme, shown, owner }: SigningKey): string {
  return `${scheme === 'gpg' ? 'GPG' : 'SSH'} key ${shown}${owner === '' ? '' : ` of ${owner}`}`
}

function addKey({ scheme, shown }: SigningKey): string {
  return scheme === 'gpg'
    ? `if you trust key ${shown}, add it with "wadi gpg add --from FILE"`
    : `if you trust key ${shown}, add it to allowed_signers in ConfigMap wadi-ssh-signers-cm`
}

function renewal({ scheme }: SigningKey): string {
  return scheme === 'gpg'
    ? 'have its owner extend it and store it with "wadi gpg add --upsert --from FILE"'
    : 'change valid-before in ConfigMap wadi-ssh-signers-cm'
}

function dated(before: string, at: number | undefined): string {
  if (at === undefined) return ''
  // A date beyond what Date can hold stands in a hostile key.
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '' : `${before}${date.toISOString().slice(0, 10)}`
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'a key, after the project lists one'
  return `one of the project's keys (${someInLine(names, 5)})`
}
