import type { Command } from 'commander'
import { CommandFailure } from './command-failure.ts'

/**
 * Splits the text of `WADI_OPTS` into words: blanks separate, single and double quotes and a backslash protect.
 * @throws CommandFailure for an open quote.
 */
export function splitWords(text: string): string[] {
  const words: string[] = []
  const pattern = /\s*((?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+)\s*/gsy
  while (pattern.lastIndex < text.length && text.slice(pattern.lastIndex).trim() !== '') {
    const word = pattern.exec(text)?.[1]
    if (word === undefined) throw new CommandFailure('WADI_OPTS has an open quote; close it', 1)
    words.push(unquoted(word))
  }
  return words
}

function unquoted(word: string): string {
  return word.replaceAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_whole, single, double, escaped) => {
    if (typeof single === 'string') return single
    if (typeof double === 'string') return double.replaceAll(/\\(["\\$`])/g, '$1')
    return String(escaped)
  })
}

/**
 * Returns the name of the command that the words call or ask help for: the first that is neither a flag nor the value of a
 * global flag, behind `help` the next one; undefined for none.
 */
export function namedCommand(program: Command, words: readonly string[]): string | undefined {
  const names: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (!/^-./.test(word)) names.push(word)
    else if (program.options.some(({ required, long, short }) => required && [long, short].includes(word))) {
      index++
    }
  }
  return names[0] === 'help' ? names[1] : names[0]
}

/**
 * Rewrites Go's way to set a boolean flag: `--validate=false` becomes `--no-validate`, `--upsert=true` becomes
 * `--upsert`, and a flag that is off anyway disappears. Flags that take values, and words after `--`, stay.
 */
export function withPlainBooleans(program: Command, words: readonly string[]): string[] {
  const booleans = new Set<string>()
  const visit = (command: Command): void => {
    for (const option of command.options) {
      if ((option.isBoolean() || option.negate) && option.long) booleans.add(option.long)
    }
    command.commands.forEach(visit)
  }
  visit(program)
  const end = words.indexOf('--')
  const flags = end === -1 ? words : words.slice(0, end)
  const rest = end === -1 ? [] : words.slice(end)
  return [...flags.flatMap((word) => plainBoolean(word, booleans)), ...rest]
}

function plainBoolean(word: string, booleans: ReadonlySet<string>): string[] {
  const [, name, value] = /^(--[a-z-]+)=(true|false)$/.exec(word) ?? []
  if (name === undefined || (!booleans.has(name) && !booleans.has(negated(name)))) return [word]
  if (value === 'true') return booleans.has(name) ? [name] : []
  return booleans.has(negated(name)) ? [negated(name)] : []
}

function negated(name: string): string {
  return `--no-${name.slice(2)}`
}
