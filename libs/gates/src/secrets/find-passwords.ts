import type { Violation } from '../gate.ts'
import type { StringField } from './string-fields.ts'
import { refersElsewhere } from './value-forms.ts'

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
export const passwordRules = ['password', 'private-key', 'url-password'] as const

interface PasswordViolation extends Violation {
  readonly rule: (typeof passwordRules)[number]
}

/** Returns the named values that are passwords or keys in plain text, the private keys, and the URLs with a password. */
export function findPasswords(fields: readonly StringField[]): PasswordViolation[] {
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
