import { fieldPath } from '@wadi/fields/field-path.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import { isSecret } from '@wadi/manifests/mask-secrets.ts'
import type { Gate, Violation } from '../gate.ts'
import { credentialRules, findCredentials } from './find-credentials.ts'
import { objectStrings, type StringField } from './string-fields.ts'
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

const passwordName = /(?:password|passwd|passphrase)$/i
const keyName = /(?:token|secret|api[-_]?key|access[-_]?key|private[-_]?key)$/i

/** Letters and digits mixed, as names and paths seldom have them. */
const generatedValue = /^(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9+/=_.~-]{16,}$/

/** The value of a variable such as ALLOW_EMPTY_PASSWORD. */
const flag = /^(?:true|false|yes|no|on|off|0|1)$/i

/** A place of the secret: `/run/secrets/db`, `shop/db`. */
const path = /^\.{0,2}\/|^[a-z-]+(?:\/[a-z.-]+)+$/

// The lengths are bounded, or a long word would take quadratic time.
const urlPassword = /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@"']{0,100}:([^\s/@"']{1,200})@/gi
const privateKey = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,2}PRIVATE KEY-----\s{1,10}([A-Za-z0-9+/=]{40,80})/
const placeholder = /[$<{*]|%s/

/** The rules of `findPasswords`. */
const passwordRules = ['password', 'private-key', 'url-password'] as const

interface PasswordViolation extends Violation {
  readonly rule: (typeof passwordRules)[number]
}

/** Returns the named values that are passwords or keys in plain text, the private keys, and the URLs with a password. */
function findPasswords(fields: readonly StringField[]): PasswordViolation[] {
  return fields.flatMap(({ field, label, isNamed, text }): PasswordViolation[] => {
    const advice = 'keep it in a secret store and refer to it'
    if (isNamed && isPassword(label, text.trim())) {
      const message = `${label} has a plain value; ${advice}`
      return [{ rule: 'password', field, message, written: [text.trim()] }]
    }
    const [, key] = privateKey.exec(text) ?? []
    if (key !== undefined) {
      return [{ rule: 'private-key', field, message: `has a private key; ${advice}`, written: [key] }]
    }
    const [, password] =
      [...text.matchAll(urlPassword)].find(([, word = '']) => !placeholder.test(word)) ?? []
    if (password === undefined) return []
    return [
      { rule: 'url-password', field, message: `has a URL with a password; ${advice}`, written: [password] },
    ]
  })
}

function isPassword(name: string, value: string): boolean {
  if (value === '' || /\s/.test(value) || placeholder.test(value) || flag.test(value)) return false
  if (refersElsewhere(value) || path.test(value)) return false
  return passwordName.test(name) || (keyName.test(name) && generatedValue.test(value))
}

/** One value of a Secret. */
interface SecretValue {
  readonly field: string
  readonly key: string
  /** The value as programs get it. */
  readonly text: string
  /** The value as the object has it: in base64 below `data`. */
  readonly raw: string
}

/** Returns the values below `data` and `stringData` of a Secret; none of another object. */
function secretValues(manifest: Manifest): SecretValue[] {
  if (!isSecret(manifest)) return []
  return (['data', 'stringData'] as const).flatMap((name) => {
    const values = manifest[name]
    if (!isJsonObject(values)) return []
    return Object.entries(values).map(([key, value]) => {
      const raw = rawText(value)
      const text = name === 'data' ? Buffer.from(raw, 'base64').toString() : raw
      return { field: fieldPath([name, key]), key, text, raw }
    })
  })
}

function rawText(value: JsonValue): string {
  if (typeof value === 'string') return value
  return value === null || typeof value === 'object' ? '' : String(value)
}
