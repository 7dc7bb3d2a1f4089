import type { Command, Option } from 'commander'

/**
 * The kind of names that the arguments of a command take; a shell asks `wadi __complete` for them. `rbac-words` are the actions and
 * resources of policies.
 */
export type ValueSource =
  | 'applications'
  | 'application-sets'
  | 'projects'
  | 'clusters'
  | 'gpg-keys'
  | 'trusted-servers'
  | 'repositories'
  | 'branches'
  | 'plugins'
  | 'tools'
  | 'tool-releases'
  | 'contexts'
  | 'rbac-words'

/** A flag as shells see it. */
export interface CompletionFlag {
  /** `--output`, and `-o` when there is one. */
  names: string[]
  description: string
  takesValue: boolean
  /** The values that are possible; none when any is. */
  choices: readonly string[]
}

/** One command as shells see it. */
export interface CompletionNode {
  /** Its place in the tree: empty for the program, else for example `/app/get`. */
  place: string
  commands: { name: string; description: string }[]
  flags: CompletionFlag[]
  source: ValueSource | undefined
}

const argumentSources = new WeakMap<Command, ValueSource>()

/** Declares what the arguments of a command name. */
export function completeWith(command: Command, source: ValueSource): void {
  argumentSources.set(command, source)
}

/** Returns the program and every visible command below it, parents first. */
export function completionNodes(program: Command): CompletionNode[] {
  const globalFlags = program.options.map(completionFlag)
  const nodes: CompletionNode[] = []
  const visit = (command: Command, place: string): void => {
    const visible = command.createHelp().visibleCommands(command)
    const children = command.commands.filter((child) => visible.includes(child))
    const ownFlags = command === program ? [] : command.options.map(completionFlag)
    const help = { names: ['--help', '-h'], description: 'display help', takesValue: false, choices: [] }
    nodes.push({
      place,
      commands: children.map((child) => ({ name: child.name(), description: child.description() })),
      flags: [...ownFlags, ...globalFlags, help],
      source: argumentSources.get(command),
    })
    for (const child of children) visit(child, `${place}/${child.name()}`)
  }
  visit(program, '')
  return nodes
}

function completionFlag(option: Option): CompletionFlag {
  return {
    names: [option.long, option.short].filter((name) => name !== undefined),
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  }
}
