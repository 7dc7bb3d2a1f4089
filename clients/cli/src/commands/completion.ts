import { Argument } from 'commander'
import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completionNodes } from '../completion/completion-tree.ts'
import type { CompletionNode } from '../completion/completion-tree.ts'

type Shell = 'bash' | 'zsh' | 'fish' | 'powershell'

const scripts: Record<Shell, () => Promise<(nodes: readonly CompletionNode[]) => string>> = {
  bash: async () => (await import('../completion/bash.ts')).bashScript,
  zsh: async () => (await import('../completion/zsh.ts')).zshScript,
  fish: async () => (await import('../completion/fish.ts')).fishScript,
  powershell: async () => (await import('../completion/powershell.ts')).powershellScript,
}

/** Defines `completion`. */
export function defineCompletionCommand(command: Command, session: CommandSession): void {
  command
    .addArgument(new Argument('<shell>', 'shell to print the script for').choices(Object.keys(scripts)))
    .action(async (shell: Shell) => {
      const script = await scripts[shell]()
      process.stdout.write(script(completionNodes(await session.wholeProgram())))
    })
  showExamples(command, 'source <(wadi completion bash)', 'wadi completion fish | source')
}
