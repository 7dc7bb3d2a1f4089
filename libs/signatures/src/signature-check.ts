/** The key that a signature was made with. */
export interface SigningKey {
  scheme: 'gpg' | 'ssh'
  /** The name by which people know the key: a GPG key id of 16 digits, or `SHA256:…` of an SSH key. */
  shown: string
  /** Everything under which a policy may name it: GPG fingerprints of key and primary key, SSH principals, `SHA256:…`. */
  names: readonly string[]
  /** Whose key it is, from the key itself or the list of signers; empty when that is not known. */
  owner: string
}

/** The result of checking a signature by the keys only, regardless of a project's requirements. */
export type SignatureCheck =
  /** `until` is when key or signature expire, in milliseconds since 1970; Infinity for never. */
  | { kind: 'good'; key: SigningKey; until: number }
  | { kind: 'unsigned' }
  | { kind: 'unreadable'; reason: string }
  | { kind: 'bad'; key: SigningKey }
  | { kind: 'unknownKey'; key: SigningKey }
  | { kind: 'expired'; key: SigningKey; what: 'key' | 'signature'; at: number | undefined }
  | { kind: 'notYetValid'; key: SigningKey; at: number }
  | { kind: 'revoked'; key: SigningKey }

/** A check as it is now: what was good is expired when its time has come. */
export function atTime(check: SignatureCheck, now: number): SignatureCheck {
  if (check.kind !== 'good' || now < check.until) return check
  return { kind: 'expired', key: check.key, what: 'key', at: check.until }
}
