import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'

const encryptedValue = /^ENC\[[A-Z0-9_]+,data:[^\]]*\]$/

/** True if SOPS encrypted a value. */
export function isEncrypted(value: JsonValue): boolean {
  return typeof value === 'string' && encryptedValue.test(value)
}

/** True if SOPS encrypted values of an object and signed it in its field `sops`, which goes when they are decrypted. */
export function hasEncrypted({ sops }: Manifest): boolean {
  return isJsonObject(sops) && typeof sops['mac'] === 'string'
}
