import type { Signature } from '@wadi/git/commit/fast-import.ts'

/** The signature of now under a name; for an empty name or address that of Wadi, which is the one that Argo CD uses. */
export function signatureOf({
  authorName,
  authorEmail,
}: {
  authorName: string
  authorEmail: string
}): Signature {
  return {
    name: authorName || 'Argo CD',
    email: authorEmail || 'argo-cd@example.com',
    date: new Date(),
  }
}

/** The signature of Wadi itself, as of now. */
export function ownSignature(): Signature {
  return signatureOf({ authorName: '', authorEmail: '' })
}
