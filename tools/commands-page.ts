import type { Command, Option } from 'commander'
import { headingAnchor } from './documents.ts'
import { code, prose, table } from './markdown.ts'

const introduction = `# Commands

Every command of \`wadi\` with its flags, as \`wadi COMMAND --help\` prints them. [Command line](../guides/cli.md) says how to use them: which server
is asked, how objects are named, and what the exit codes mean.

\`tools/write-reference.ts\` writes this page from the commands' definitions.
`

/** Returns the page of all commands that the help of a program shows. */
export function commandsPage(program: Command): string {
  const commands = commandsBelow(program)
  const globals = `## Global flags\n\n${flags(program)}\n${addition(program).trim()}\n`
  return [
    introduction,
    overview(commands),
    globals,
    ...commands.map((command) => section(command, '##')),
  ].join('\n')
}

/** The chapter of a command; those of its sub-commands follow, at most one level deeper, as tables of contents end there. */
function section(command: Command, level: string): string {
  const names = namesOf(command)
  const below = commandsBelow(command)
  const aliases = command.aliases().map(code).join(', ')
  const parts = [
    `${level} ${names}\n`,
    `${prose(command.description())}${aliases === '' ? '' : ` Also: ${aliases}.`}\n`,
    below.length > 0 ? overview(below) : `\`\`\`\n${names} ${command.usage()}\n\`\`\`\n`,
    flags(command),
    examples(command),
    ...below.map((sub) => section(sub, '###')),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function overview(commands: readonly Command[]): string {
  return table(
    ['Command', 'What it does'],
    commands.map((command) => {
      const names = namesOf(command)
      return [`[\`${names}\`](#${headingAnchor(names)})`, prose(command.description())]
    }),
  )
}

function flags(command: Command): string {
  const help = command.createHelp()
  const terms = command.registeredArguments
    .filter(({ description }) => description !== '')
    .map((argument) => [code(argument.name()), prose(help.argumentDescription(argument))])
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => [code(option.flags), meaning(option, help.optionDescription(option))])
  const rows = [...terms, ...options]
  return rows.length === 0 ? '' : table([terms.length === 0 ? 'Flag' : 'Argument, flag', 'Meaning'], rows)
}

function meaning({ mandatory }: Option, description: string): string {
  return `${prose(description)}${mandatory ? ' (required)' : ''}`
}

/** The text that a command adds to its help: examples, with anything else before and after them. */
function examples(command: Command): string {
  const text = addition(command)
  const [before = '', lines] = text.split('Examples:\n')
  if (lines === undefined) return before.trim() === '' ? '' : `${prose(before.trim())}\n`
  const [shown = '', ...after] = lines.split(/\n\n(?! {2})/)
  const rest = after.join('\n\n').trim()
  const block = `\`\`\`sh\n${shown.replaceAll(/^ {2}/gm, '').trim()}\n\`\`\`\n`
  return `${before.trim()}${block}${rest === '' ? '' : `\n${prose(rest)}\n`}`
}

function addition(command: Command): string {
  const written: string[] = []
  command.configureOutput({ writeOut: (text) => written.push(text) })
  command.outputHelp()
  return written.join('').slice(command.helpInformation().length)
}

function commandsBelow(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((sub) => sub.name() !== 'help')
}

function namesOf(command: Command): string {
  return command.parent === null ? command.name() : `${namesOf(command.parent)} ${command.name()}`
}
