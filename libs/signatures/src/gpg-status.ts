import type { SignatureCheck, SigningKey } from './signature-check.ts'

/** A primary key with its subkeys, as gpg lists it. */
export interface GpgKey {
  /** The last 16 digits of the fingerprint. */
  keyId: string
  /** 40 upper-case digits. */
  fingerprint: string
  /** For example `rsa4096` or `ed25519`. */
  type: string
  /** The first user id. */
  owner: string
  /** In milliseconds since 1970; undefined for never. */
  expiresAt: number | undefined
  revoked: boolean
  /** Fingerprints. */
  subkeys: { fingerprint: string; expiresAt: number | undefined }[]
}

const verdicts = ['GOODSIG', 'BADSIG', 'EXPSIG', 'EXPKEYSIG', 'REVKEYSIG', 'ERRSIG']
/** The reason in ERRSIG for a key that does not exist. */
const noPublicKey = '9'
const plainAlgorithms: Readonly<Record<string, string>> = { '1': 'rsa', '3': 'rsa', '17': 'dsa' }

/** Returns the lines that gpg writes for programs, each as its words. */
export function statusLines(output: string): string[][] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('[GNUPG:] '))
    .map((line) => line.slice('[GNUPG:] '.length).split(' '))
}

/**
 * Reads what gpg says of one signature. Anything but exactly one clear verdict is treated as unreadable.
 * @param keys the keys that are accepted; a good signature of another one is of an unknown key
 */
export function readVerdict(output: string, exitCode: number, keys: readonly GpgKey[]): SignatureCheck {
  const lines = statusLines(output)
  const found = lines.filter(([word = '']) => verdicts.includes(word))
  const [verdict, ...others] = found
  if (others.length > 0) return { kind: 'unreadable', reason: 'it holds more than one signature' }
  if (!verdict) return { kind: 'unreadable', reason: 'gpg finds no signature in it' }
  const [word, id = ''] = verdict
  const valid = lines.find(([first]) => first === 'VALIDSIG')
  const known = keyOf(valid?.[1] ?? id, keys)
  const key = signingKey(valid?.[1] ?? id, known)
  if (word === 'ERRSIG') {
    if (verdict[6] === noPublicKey) return { kind: 'unknownKey', key }
    return { kind: 'unreadable', reason: 'gpg does not support how it was made' }
  }
  if (!known) return { kind: 'unknownKey', key }
  if (word === 'BADSIG') return { kind: 'bad', key }
  if (word === 'REVKEYSIG') return { kind: 'revoked', key }
  const signatureEnd = milliseconds(valid?.[4])
  if (word === 'EXPSIG') return { kind: 'expired', key, what: 'signature', at: signatureEnd }
  const ends = [known.expiresAt, subkeyEnd(known, valid?.[1])].filter((end) => end !== undefined)
  if (word === 'EXPKEYSIG') {
    return { kind: 'expired', key, what: 'key', at: ends.length > 0 ? Math.min(...ends) : undefined }
  }
  if (word !== 'GOODSIG' || !valid || exitCode !== 0) {
    return { kind: 'unreadable', reason: 'gpg does not call it valid' }
  }
  return { kind: 'good', key, until: Math.min(...ends, signatureEnd ?? Infinity) }
}

/** Reads the keys of `gpg --list-keys --with-colons --with-subkey-fingerprint`. */
export function readKeyList(output: string): GpgKey[] {
  const keys: GpgKey[] = []
  let ofSubkey: { fingerprint: string } | undefined
  for (const line of output.split('\n')) {
    const fields = line.split(':')
    const [record, validity, bits = '', algorithm = '', keyId = '', , expires, , , text = ''] = fields
    const key = keys.at(-1)
    if (record === 'pub') {
      const plain = plainAlgorithms[algorithm]
      keys.push({
        keyId,
        fingerprint: '',
        type: plain === undefined ? fields[16] || `algorithm ${algorithm}` : `${plain}${bits}`,
        owner: '',
        expiresAt: milliseconds(expires),
        revoked: validity === 'r',
        subkeys: [],
      })
      ofSubkey = undefined
    } else if (record === 'sub' && key) {
      const subkey = { fingerprint: '', expiresAt: milliseconds(expires) }
      key.subkeys.push(subkey)
      ofSubkey = subkey
    } else if (record === 'fpr' && key) {
      if (ofSubkey) ofSubkey.fingerprint = text
      else key.fingerprint = text
    } else if (record === 'uid' && key && key.owner === '') {
      key.owner = unescaped(text)
    }
  }
  return keys
}

function keyOf(id: string, keys: readonly GpgKey[]): GpgKey | undefined {
  if (!/^[0-9A-F]{16,}$/.test(id)) return undefined
  return keys.find(
    ({ fingerprint, subkeys }) =>
      fingerprint.endsWith(id) || subkeys.some((subkey) => subkey.fingerprint.endsWith(id)),
  )
}

function signingKey(id: string, known: GpgKey | undefined): SigningKey {
  const names = known === undefined || known.fingerprint.endsWith(id) ? [id] : [id, known.fingerprint]
  return { scheme: 'gpg', shown: id.slice(-16), names, owner: known?.owner ?? '' }
}

function subkeyEnd(key: GpgKey, fingerprint: string | undefined): number | undefined {
  return key.subkeys.find((subkey) => subkey.fingerprint === fingerprint)?.expiresAt
}

/** gpg writes nothing or 0 for never. */
function milliseconds(seconds: string | undefined): number | undefined {
  return seconds === undefined || !/^[1-9]\d{0,11}$/.test(seconds) ? undefined : Number(seconds) * 1_000
}

/** gpg writes `\x3a` for a colon; what would control a terminal stays written like that. */
function unescaped(text: string): string {
  return text.replaceAll(/\\x([2-7][0-9a-f])/gi, (all, digits: string) =>
    digits.toLowerCase() === '7f' ? all : String.fromCharCode(parseInt(digits, 16)),
  )
}
