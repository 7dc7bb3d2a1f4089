import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { SshFields } from './ssh-signature.ts'

const curves: Readonly<Record<string, { crv: string; hash: string }>> = {
  'ecdsa-sha2-nistp256': { crv: 'P-256', hash: 'sha256' },
  'ecdsa-sha2-nistp384': { crv: 'P-384', hash: 'sha384' },
  'ecdsa-sha2-nistp521': { crv: 'P-521', hash: 'sha512' },
}

/** Reads a public key in SSH's encoding; undefined for one of another kind than Ed25519, ECDSA and RSA, as those of FIDO devices. */
export function readSshPublicKey(bytes: Buffer): KeyObject | undefined {
  const fields = new SshFields(bytes)
  const type = fields.text()
  try {
    if (type === 'ssh-ed25519') {
      return fromJwk({ kty: 'OKP', crv: 'Ed25519', x: base64url(fields.string()) })
    }
    if (type === 'ssh-rsa') {
      const [e, n] = [fields.string(), fields.string()]
      return fromJwk({ kty: 'RSA', n: base64url(unsigned(n)), e: base64url(unsigned(e)) })
    }
    const curve = curves[type]
    fields.string()
    const point = fields.string()
    if (!curve || point?.[0] !== 4) return undefined
    const middle = (point.length + 1) / 2
    const [x, y] = [point.subarray(1, middle), point.subarray(middle)]
    return fromJwk({ kty: 'EC', crv: curve.crv, x: base64url(x), y: base64url(y) })
  } catch {
    return undefined
  }
}

/** Returns the key of a line of allowed signers in PEM; undefined for one that `readSshPublicKey` does not read. */
export function sshPem(line: string): string | undefined {
  const [, base64 = ''] = /(?:^| )(?:ssh|ecdsa)-\S+ ([A-Za-z0-9+/=]+)/.exec(line) ?? []
  const key = readSshPublicKey(Buffer.from(base64, 'base64'))
  return key?.export({ type: 'spki', format: 'pem' }).toString()
}

/** Returns a signature in SSH's encoding as libraries of other kinds take it: ECDSA in DER, everything else as it is; undefined for one that cannot be read. */
export function plainSignature(signature: Buffer): { algorithm: string; bytes: Buffer } | undefined {
  const fields = new SshFields(signature)
  const algorithm = fields.text()
  const bytes = fields.string()
  if (bytes === undefined) return undefined
  if (!algorithm.startsWith('ecdsa-')) return { algorithm, bytes }
  const numbers = new SshFields(bytes)
  const [r, s] = [numbers.string(), numbers.string()]
  if (!r || !s || r.length > 127 || s.length > 127) return undefined
  return { algorithm, bytes: derSequence(derInteger(r), derInteger(s)) }
}

/** Returns the hash that a key's plain signatures are made with; RSA takes SHA-256 unless `algorithm` of SSH says otherwise. */
function hashOf(key: KeyObject, algorithm = ''): string | undefined {
  if (key.asymmetricKeyType === 'ed25519') return undefined
  if (key.asymmetricKeyType === 'rsa') return algorithm === 'rsa-sha2-512' ? 'sha512' : 'sha256'
  const bits = key.asymmetricKeyDetails?.namedCurve
  return bits === 'secp384r1' ? 'sha384' : bits === 'secp521r1' ? 'sha512' : 'sha256'
}

/** Returns true for a plain signature of a key over some bytes: Ed25519, ECDSA in DER, RSA with PKCS #1 v1.5. */
export function isSignedBy(key: KeyObject, bytes: Buffer, signature: Buffer, algorithm = ''): boolean {
  try {
    return verify(hashOf(key, algorithm), bytes, key, signature)
  } catch {
    return false
  }
}

function fromJwk(key: Record<string, string>): KeyObject {
  return createPublicKey({ key, format: 'jwk' })
}

function base64url(bytes: Buffer | undefined): string {
  return bytes?.toString('base64url') ?? ''
}

/** SSH puts a zero before a number whose first bit is set. */
function unsigned(number: Buffer | undefined): Buffer | undefined {
  return number?.[0] === 0 ? number.subarray(1) : number
}

function derInteger(number: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x02, number.length]), number])
}

function derSequence(...items: Buffer[]): Buffer {
  const content = Buffer.concat(items)
  const length = content.length < 128 ? [content.length] : [0x81, content.length]
  return Buffer.concat([Buffer.from([0x30, ...length]), content])
}
