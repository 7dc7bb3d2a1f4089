import { isJsonObject } from '@wadi/fields/json-object.ts'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'
import type { CommitSigner } from '../signing/commit-signer.ts'

/** A signature in an envelope. */
interface EnvelopeSignature {
  /** The fingerprint of the key that signed, by its own account. */
  readonly keyId: string
  /** The plain signature, or an armoured one of OpenPGP or SSH. */
  readonly bytes: Buffer
}

/** A signed statement (DSSE), taken apart; nothing of it is proved yet. */
export interface Envelope {
  readonly payload: Buffer
  /** The bytes that the signatures are over. */
  readonly signed: Buffer
  readonly signatures: readonly EnvelopeSignature[]
}

const payloadType = 'application/vnd.in-toto+json'
const maxSignatures = 10

/** The most bytes of a signature that is verified; OpenPGP ones of long RSA keys have less than 2 KiB. */
const maxSignatureBytes = 16 * 1024

/** Signs a statement and returns its envelope as one line of JSON. */
export async function signedEnvelope(
  statement: object,
  signer: CommitSigner,
  signal?: AbortSignal,
): Promise<string> {
  const payload = Buffer.from(JSON.stringify(statement))
  const signature = await signer.signBytes(signedBytes(payload), signal)
  return JSON.stringify({
    payload: payload.toString('base64'),
    payloadType,
    signatures: [{ keyid: signer.key.fingerprint, sig: signature.toString('base64') }],
  })
}

/** Returns true if a signer signed an envelope. */
export async function isSigned(
  { signed, signatures }: Envelope,
  signer: CommitSigner,
  signal?: AbortSignal,
): Promise<boolean> {
  const own = signatures.find(({ keyId }) => keyId === signer.key.fingerprint)
  if (own === undefined || own.bytes.length > maxSignatureBytes) return false
  return signer.hasSigned(signed, own.bytes, signal)
}

/** Reads envelopes, one a line; a line that is none is undefined. */
export function readEnvelopes(text: string): (Envelope | undefined)[] {
  return text.split('\n').filter(Boolean).map(readEnvelope)
}

function readEnvelope(line: string): Envelope | undefined {
  const value = parsed(line)
  if (!isJsonObject(value) || textAt(value, 'payloadType') !== payloadType) return undefined
  const payload = Buffer.from(textAt(value, 'payload'), 'base64')
  const signatures = listAt(value, 'signatures')
    .slice(0, maxSignatures)
    .map((each) => ({ keyId: textAt(each, 'keyid'), bytes: Buffer.from(textAt(each, 'sig'), 'base64') }))
  return { payload, signed: signedBytes(payload), signatures }
}

/** The encoding of type and payload that DSSE signs. */
function signedBytes(payload: Buffer): Buffer {
  const start = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `
  return Buffer.concat([Buffer.from(start), payload])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
