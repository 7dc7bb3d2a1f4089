import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { fingerprintOf } from './ssh-signature.ts'

/** One line of a list of allowed signers (ALLOWED SIGNERS in ssh-keygen(1)). */
export interface AllowedSigner {
  principals: readonly string[]
  /** `SHA256:…` of the key. */
  fingerprint: string
  /** In SSH's encoding. */
  publicKey: Buffer
  /** In milliseconds since 1970. */
  validAfter: number | undefined
  validBefore: number | undefined
}

const maxBytes = 1024 ** 2
const keyType = /^(?:ssh-|ecdsa-|sk-)[a-z0-9@.-]+$/

/**
 * Reads a list of allowed signers: `principals [options] keytype base64 [comment]` a line, `#` for comments. Of the
 * options, `namespaces`, `valid-after` and `valid-before` apply; lines for other namespaces than `git` are left out.
 * @throws InvalidInputError that names the line, also for patterns and certificate authorities, which are not supported
 */
export function readAllowedSigners(text: string): AllowedSigner[] {
  requireSize(text, 'allowed_signers')
  return linesOf(text).flatMap(([line, number]) => readSigner(line, `allowed_signers:${number}`))
}

/**
 * Reads a list of revoked keys: a public key or a fingerprint `SHA256:…` a line, `#` for comments.
 * @returns fingerprints
 * @throws InvalidInputError that names the line
 */
export function readRevokedKeys(text: string): Set<string> {
  requireSize(text, 'revoked_keys')
  const fingerprints = linesOf(text).map(([line, number]) => {
    const [first = '', second = ''] = line.split(/\s+/)
    if (/^SHA256:[A-Za-z0-9+/]{43}$/.test(first)) return first
    if (keyType.test(first)) return keyFingerprint(first, second, `revoked_keys:${number}`)
    throw new InvalidInputError(`revoked_keys:${number}: expected a public key or a fingerprint SHA256:…`)
  })
  return new Set(fingerprints)
}

function requireSize(text: string, what: string): void {
  if (text.length > maxBytes) throw new InvalidInputError(`${what} may have ${maxBytes} characters`)
}

function linesOf(text: string): [string, number][] {
  return text
    .split('\n')
    .map((line, index): [string, number] => [line.trim(), index + 1])
    .filter(([line]) => line !== '' && !line.startsWith('#'))
}

function readSigner(line: string, at: string): AllowedSigner[] {
  const [principalText = '', ...rest] = words(line)
  const principals = principalText.split(',').filter((principal) => principal !== '')
  if (principals.length === 0) throw new InvalidInputError(`${at}: expected principals, a key type and a key`)
  if (principals.some((principal) => /[*?!]/.test(principal))) {
    throw new InvalidInputError(`${at}: patterns of principals are not supported; write each principal`)
  }
  const hasOptions = !keyType.test(rest[0] ?? '')
  const [type = '', key = ''] = hasOptions ? rest.slice(1) : rest
  if (!keyType.test(type)) throw new InvalidInputError(`${at}: expected principals, a key type and a key`)
  const options = hasOptions ? readOptions(rest[0] ?? '', at) : new Map<string, string>()
  const namespaces = options.get('namespaces')
  if (namespaces !== undefined && !namespaces.split(',').includes('git')) return []
  return [
    {
      principals,
      fingerprint: keyFingerprint(type, key, at),
      publicKey: Buffer.from(key, 'base64'),
      validAfter: readTime(options.get('valid-after'), `${at}: valid-after`),
      validBefore: readTime(options.get('valid-before'), `${at}: valid-before`),
    },
  ]
}

/** Words may hold blanks inside double quotes. */
function words(line: string): string[] {
  const found = line.match(/(?:"[^"]*"|[^\s"])+/g) ?? []
  const [principals = '', ...rest] = found
  return [principals.replaceAll('"', ''), ...rest]
}

function readOptions(text: string, at: string): Map<string, string> {
  const options = new Map<string, string>()
  for (const option of text.match(/(?:"[^"]*"|[^,"])+/g) ?? []) {
    const [, name = option, value = ''] = /^([a-z-]+)=(.*)$/is.exec(option) ?? []
    const known = name.toLowerCase()
    if (!['namespaces', 'valid-after', 'valid-before'].includes(known)) {
      throw new InvalidInputError(
        `${at}: option ${JSON.stringify(name)} is not supported; expected one of namespaces, valid-after, valid-before`,
      )
    }
    options.set(known, value.replaceAll('"', ''))
  }
  return options
}

function keyFingerprint(type: string, key: string, at: string): string {
  const bytes = Buffer.from(key, 'base64')
  const length = bytes.length > 4 ? bytes.readUInt32BE(0) : 0
  if (bytes.toString('latin1', 4, 4 + length) !== type) {
    throw new InvalidInputError(`${at}: the key is not a ${type} key`)
  }
  return fingerprintOf(bytes)
}

/** `YYYYMMDD[HHMM[SS]]` in the time zone of the machine, with `Z` in UTC, as ssh-keygen reads it. */
function readTime(text: string | undefined, at: string): number | undefined {
  if (text === undefined) return undefined
  const match = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z?)$/.exec(text)
  if (!match) throw new InvalidInputError(`${at} must be YYYYMMDD[HHMM[SS]][Z], not ${JSON.stringify(text)}`)
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', zone = ''] = match
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  if (Number.isNaN(time)) throw new InvalidInputError(`${at} is not a time: ${JSON.stringify(text)}`)
  return time
}
