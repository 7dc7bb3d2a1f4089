import type { Command } from 'commander'

/** Gives a command its one sentence and examples that run as printed. */
export function explain(command: Command, sentence: string, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  ${example}\n`).join('')
  return command.description(sentence).addHelpText('after', `\nExamples:\n${lines.trimEnd()}`)
}
