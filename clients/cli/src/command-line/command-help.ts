import type { Command } from 'commander'

/** Gives a command its one sentence and examples that run as printed. */
export function explain(command: Command, sentence: string, examples: readonly string[]): Command {
  return showExamples(command.description(sentence), ...examples)
}

/** Adds examples to the help of a command. */
export function showExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`)
}
