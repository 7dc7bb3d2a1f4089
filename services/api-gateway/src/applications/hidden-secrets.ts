import { createHmac, randomBytes } from 'node:crypto'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { canonicalJson } from '@wadi/manifests/canonical-json.ts'
import { manifestIdentity } from '@wadi/manifests/manifest.ts'
import { hashedSecret, isSecret } from '@wadi/manifests/mask-secrets.ts'
import { parseManifests } from '@wadi/manifests/parse-manifests.ts'
import type { GatewayContext } from '../context.ts'
import { signingKey } from '../sessions/key-ring.ts'

/** Bytes of manifests of a branch, of which a hydrated directory may have more than one render gives. */
export const maxManifestBytes = 64 * 1024 * 1024

/** A text without these has no Secret: YAML spells the word otherwise only with an escape or a tag. */
const mayHoldSecret = /Secret|[\\!]/

/** Is in use until the gateway has made its first session key. */
const firstKey = randomBytes(32)

/**
 * Returns manifests with the values of Secrets as `<hidden 0123456789>`, and how many Secrets that concerns. Equal values of a
 * key of a Secret are hidden alike in all answers about an Application, so that these can be compared; other texts are kept.
 * @param application the name of the Application in policies
 * @throws InvalidInputError for a text that is not manifests, whose Secrets nobody could find
 */
export function hideSecrets(
  { signIn }: Pick<GatewayContext, 'signIn'>,
  application: string,
  text: string,
): { manifest: string; hiddenSecrets: number } {
  if (!mayHoldSecret.test(text)) return { manifest: text, hiddenSecrets: 0 }
  const manifests = parseManifests(text, { file: 'manifests', limits: { maxBytes: maxManifestBytes } })
  const hiddenSecrets = manifests.filter(isSecret).length
  if (hiddenSecrets === 0) return { manifest: text, hiddenSecrets }
  const sessionKey = signingKey(signIn.objects, signIn.now())?.key ?? firstKey
  const hashKey = createHmac('sha256', sessionKey).update('values of Secrets').digest()
  const hidden = manifests.map((manifest) => {
    const { kind, namespace, name } = manifestIdentity(manifest)
    return hashedSecret(manifest, hashKey, canonicalJson([application, kind, namespace, name]))
  })
  return { manifest: emitManifests(hidden), hiddenSecrets }
}
