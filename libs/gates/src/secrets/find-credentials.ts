import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import type { Violation } from '../gate.ts'
import type { StringField } from './string-fields.ts'

const rulePrefix = '@secretlint/secretlint-rule-'

// A comment in a value could otherwise switch the others off.
const scanners = rules
  .filter(({ meta }) => meta.id !== `${rulePrefix}filter-comments`)
  .map((rule) => ({ id: rule.meta.id, rule }))

/** The rules of `findCredentials`. */
export const credentialRules: readonly string[] = scanners.map(({ id }) => id.replace(rulePrefix, ''))

// It would keep a mark of every call.
secretLintProfiler.setEnabled(false)

/** Returns the strings that look like a credential by secretlint's recommended rules, each rule once a field. */
export async function findCredentials(fields: readonly StringField[]): Promise<Violation[]> {
  // One text for all: some rules need the name before the value.
  let content = ''
  const ends = fields.map(({ label, text }) => (content += `${label}: ${text}\n`).length)
  if (content === '') return []
  const { messages } = await lintSource({
    source: { content, filePath: 'object.yaml', ext: '.yaml', contentType: 'text' },
    options: { config: { rules: scanners }, noPhysicFilePath: true, maskSecrets: true },
  })
  const found = new Map<string, Violation>()
  for (const { range, ruleId, messageId } of messages) {
    const field = fields[ends.findIndex((end) => range[0] < end)]
    if (field === undefined) continue
    const rule = ruleId.replace(rulePrefix, '')
    const message = `looks like a credential (${messageId}); keep it in a secret store and refer to it`
    const written = [longestLine(content.slice(...range))]
    found.getOrInsert(`${rule} ${field.field}`, { rule, field: field.field, message, written })
  }
  return [...found.values()]
}

/** A value of several lines is indented in a source file. */
function longestLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .reduce((longest, line) => (line.length > longest.length ? line : longest))
}
