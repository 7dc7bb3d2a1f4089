import { redactor } from '@wadi/errors/redaction.ts'
import { goJsonText } from '@wadi/manifests/go-json.ts'
import type { EnvironmentVariable } from './request-variables.ts'
import { isSecretName } from './variable-names.ts'

/** The parts of a larger value are not looked at, only all of it. */
const maxParsedBytes = 8 * 1024

const headerNames = /_HEADER$|^GIT_CONFIG_VALUE_/i

/**
 * Hides the values of the secret variables and each line of them; of headers each word as well (`Bearer abc`) and the
 * password in a basic credential.
 */
export function variableRedactor(variables: readonly EnvironmentVariable[]): (text: string) => string {
  const secrets = new Set<string>()
  for (const { name, value } of variables) {
    if (!isSecretName(name)) continue
    for (const text of secretTexts(name, value)) {
      // Plugins find parameters in JSON too, and print that.
      for (const form of [text, inQuotes(JSON.stringify(text)), inQuotes(goJsonText(text))]) secrets.add(form)
    }
  }
  return redactor(secrets)
}

function inQuotes(json: string): string {
  return json.slice(1, -1)
}

function secretTexts(name: string, value: string): string[] {
  if (value.length > maxParsedBytes) return [value.trim()]
  // Headers have words around the secret; other secrets may be of words that mean nothing alone.
  const words = headerNames.test(name) ? value.split(/\s+/) : []
  const texts = [
    value.trim(),
    ...value.split('\n').map((line) => line.trim()),
    ...words,
    ...words.flatMap(basicPassword),
  ]
  return texts.filter((text) => !/^(?:true|false|basic|bearer|token|[\w-]+:)$/i.test(text))
}

/** `user:password` in base64, as the header of a basic credential has it. */
function basicPassword(word: string): string[] {
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(word)) return []
  const [, password] = /^[ -~]*?:([ -~]+)$/.exec(Buffer.from(word, 'base64').toString('latin1')) ?? []
  return password === undefined ? [] : [password]
}
