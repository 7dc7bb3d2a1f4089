import { isSecret } from '@wadi/manifests/mask-secrets.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { Gate, Violation } from '../gate.ts'
import { credentialRules, findCredentials } from './find-credentials.ts'
import { findPasswords, passwordRules } from './find-passwords.ts'
import { type SecretValue, secretValues } from './secret-values.ts'
import { objectStrings } from './string-fields.ts'
import { isHarmless, refersElsewhere } from './value-forms.ts'

const plainSecret = 'plain-secret'

/** Finds secrets in plain text: values of Secrets, and credentials in every other field. */
export const secretsGate: Gate = {
  name: 'secrets',
  rules: () => [plainSecret, ...passwordRules, ...credentialRules],
  async check(objects) {
    const violations: Violation[][] = []
    for (const object of objects) violations.push(await secretsOf(object))
    return violations
  },
}

async function secretsOf(object: Manifest): Promise<Violation[]> {
  const values = secretValues(object).filter(({ text, raw }) => !isHarmless(text) && !isHarmless(raw))
  const plain = values.filter(({ text }) => !refersElsewhere(text))
  const mixed = values.filter(({ text }) => refersElsewhere(text))
  const fields = [
    ...objectStrings(withoutHidden(object)),
    ...mixed.map(({ field, key, text }) => ({ field, label: key, text, isNamed: false })),
  ]
  const credentials = await findCredentials(fields)
  const known = new Set(credentials.map(({ field }) => field))
  const passwords = findPasswords(fields.filter(({ field }) => !known.has(field)))
  return [...plain.map(plainValue), ...credentials, ...passwords]
}

function plainValue({ field, text, raw }: SecretValue) {
  const message =
    'is a plain value of a Secret; write a SealedSecret, an ExternalSecret or a placeholder, or encrypt it with SOPS'
  return { rule: plainSecret, field, message, written: text === raw ? [text] : [text, raw] }
}

/** Leaves out what is checked as values of a Secret, and what SealedSecrets encrypt. */
function withoutHidden(manifest: Manifest): Manifest {
  const { data: _data, stringData: _stringData, ...rest } = manifest
  if (isSecret(manifest)) return rest
  if (manifest['kind'] !== 'SealedSecret') return manifest
  const { spec: _spec, ...sealed } = manifest
  return sealed
}
