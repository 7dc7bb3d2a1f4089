import type { KeyFile } from './key-file.ts'

/** The public side of a key that signs, or signed, hydrated commits. */
export interface PublicSigningKey {
  scheme: 'gpg' | 'ssh'
  /** The fingerprint of a GPG key, or `SHA256:…` of an SSH key. */
  fingerprint: string
  /** The first user id of a GPG key, or the comment of an SSH key; empty for none. */
  owner: string
  /** A GPG key in ASCII armour, or the line of an SSH key in an allowed_signers file. */
  publicKey: string
  /** When it expires, in milliseconds since 1970; undefined for never. */
  expiresAt: number | undefined
}

/** Signs commits, and what is said about them, with one key. */
export interface CommitSigner extends AsyncDisposable {
  readonly key: PublicSigningKey
  /** True if the private key is there: in the file, or in an agent. */
  readonly canSign: boolean
  /**
   * Returns a detached signature in ASCII armour, which was verified with the public key.
   * @throws UnavailableError if the key is expired or revoked, the passphrase is wrong, or the agent is away or has no such key
   */
  sign(commit: Buffer, signal?: AbortSignal): Promise<string>
  /**
   * Returns a signature of other bytes, which was verified too: of SSH keys the plain one, as DSSE has it (Ed25519, ECDSA in DER, RSA with
   * PKCS #1 v1.5 and SHA-256); of others, such as OpenPGP, what `sign` returns.
   * @throws as `sign`
   */
  signBytes(bytes: Buffer, signal?: AbortSignal): Promise<Buffer>
  /** Returns true for a signature that `signBytes` made of these bytes with this key, which may be from anybody. */
  hasSigned(bytes: Buffer, signature: Buffer, signal?: AbortSignal): Promise<boolean>
}

/** A private key in a file, or a public one whose private one an agent has, and where it was found. */
export interface SigningKeyPlace {
  file: KeyFile
  passphraseFile: string | undefined
  agentSocket: string | undefined
}
